import {
  createUserCommunity,
  listUserCommunities,
  readUserCommunity,
  updateUserCommunity,
  type UserCommunity,
} from '@officium/contract/people-records';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import type { UserCommunityRow } from './user-community.repository.ts';
import * as records from './user-community.service.ts';

function toUserCommunity(row: UserCommunityRow): z.output<typeof UserCommunity> {
  return {
    id: row.id,
    userId: row.user_id,
    communitySlug: row.community_slug,
    creator: row.creator,
    role: row.role,
    status: row.status,
    contentfulMetadata: row.metadata,
    createdAt: row.joined_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function userCommunityRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, createUserCommunity, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body: { contentfulMetadata: metadata, ...body } }) =>
      toUserCommunity(await records.createUserCommunity(ctx, viewer, { ...body, metadata })),
  });
  implement(app, root, readUserCommunity, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, params }) => toUserCommunity(await records.readUserCommunity(ctx, params.id)),
  });
  implement(app, root, listUserCommunities, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, query }) => {
      const { rows, total } = await records.listUserCommunities(ctx, query);
      return { userCommunities: rows.map(toUserCommunity), total };
    },
  });
  implement(app, root, updateUserCommunity, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params, body: { contentfulMetadata: metadata, ...body } }) =>
      toUserCommunity(await records.updateUserCommunity(ctx, viewer, { ...params, ...body, metadata })),
  });
}
