import * as contract from '@officium/contract/authoring';
import type { FastifyInstance } from 'fastify';
import { administrators, holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import type { Limit } from '#server/limits/limits.ts';
import * as owners from './community-owner.service.ts';
import { orderJourneys } from './journey-order.service.ts';
import { deletePiece } from './piece-delete.service.ts';
import { listPieces } from './piece-list.service.ts';
import { noteWriter } from './piece-writer.service.ts';
import * as pieces from './piece.service.ts';
import * as publication from './publication.service.ts';
import * as versions from './version.service.ts';

const policy = administrators;
const readers = holdersOf('read-content');
const editors = holdersOf('edit-content');
const publishers = holdersOf('publish-content');
/** A preview or comparison of the longest texts takes half a second, a publication as long for each language. */
const READING: Limit = { max: 300, windowSeconds: 600 };
const SAVING: Limit = { max: 2000, windowSeconds: 3600 };
/** Ten open editors at once. */
const WRITING: Limit = { max: 2000, windowSeconds: 3600 };
/** Each stores the whole draft as a version. */
const KEEPING: Limit = { max: 200, windowSeconds: 3600 };
const PUBLISHING: Limit = { max: 300, windowSeconds: 3600 };

function draftRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listPieces, {
    policy: readers,
    handle: async ({ ctx, viewer, query }) => await listPieces(ctx, viewer, query),
  });
  implement(app, ctx, contract.createPiece, {
    policy: editors,
    limitByAccount: { max: 600, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, body }) => await pieces.createPiece(ctx, viewer, body),
  });
  implement(app, ctx, contract.readPiece, {
    policy: readers,
    handle: async ({ ctx, viewer, params }) => await pieces.readPiece(ctx, viewer, params),
  });
  implement(app, ctx, contract.savePiece, {
    policy: holdersOf('translate-content'),
    limitByAccount: SAVING,
    handle: async ({ ctx, viewer, params, body }) => await pieces.savePiece(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.noteWriter, {
    policy: holdersOf('translate-content'),
    limitByAccount: WRITING,
    handle: async ({ ctx, viewer, params }) => await noteWriter(ctx, viewer, params),
  });
  implement(app, ctx, contract.previewPiece, {
    policy: readers,
    limitByAccount: READING,
    handle: async ({ ctx, viewer, params, query, locale }) =>
      await pieces.previewPiece(ctx, viewer, params, query.locale ?? locale),
  });
}

function publicationRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.publishPiece, {
    policy: publishers,
    limitByAccount: PUBLISHING,
    handle: async ({ ctx, viewer, params, body }) => await publication.publishPiece(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.withdrawPiece, {
    policy: publishers,
    handle: async ({ ctx, viewer, params, body }) => await publication.withdrawPiece(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.discardDraft, {
    policy: editors,
    limitByAccount: KEEPING,
    handle: async ({ ctx, viewer, params, body }) => await publication.discardDraft(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.deletePiece, {
    policy: editors,
    handle: async ({ ctx, viewer, params, body }) => void (await deletePiece(ctx, viewer, params, body)),
  });
  implement(app, ctx, contract.orderJourneys, {
    policy: publishers,
    handle: async ({ ctx, viewer, params, body }) => void (await orderJourneys(ctx, viewer, { ...params, ...body })),
  });
}

function ownerRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listCommunityOwners, {
    policy,
    handle: async ({ ctx, params }) => await owners.listOwners(ctx, params.key),
  });
  implement(app, ctx, contract.nameCommunityOwner, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await owners.addOwner(ctx, viewer, { ...params, ...body }),
  });
  implement(app, ctx, contract.removeCommunityOwner, {
    policy,
    handle: async ({ ctx, viewer, params }) => void (await owners.removeOwner(ctx, viewer, params)),
  });
}

function versionRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listPieceVersions, {
    policy: readers,
    handle: async ({ ctx, viewer, params, query }) => await versions.listPieceVersions(ctx, viewer, params, query),
  });
  implement(app, ctx, contract.comparePiece, {
    policy: readers,
    limitByAccount: READING,
    handle: async ({ ctx, viewer, params, query }) => await versions.comparePiece(ctx, viewer, params, query),
  });
  implement(app, ctx, contract.restorePieceVersion, {
    policy: publishers,
    limitByAccount: KEEPING,
    handle: async ({ ctx, viewer, params, body }) =>
      await versions.restorePieceVersion(ctx, viewer, params, { ...body, number: params.number }),
  });
}

export function pieceRoutes(app: FastifyInstance, ctx: Ctx): void {
  draftRoutes(app, ctx);
  publicationRoutes(app, ctx);
  ownerRoutes(app, ctx);
  versionRoutes(app, ctx);
}
