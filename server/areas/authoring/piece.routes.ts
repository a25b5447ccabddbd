import * as contract from '@officium/contract/authoring';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as owners from './community-owner.service.ts';
import { orderJourneys } from './journey-order.service.ts';
import { deletePiece } from './piece-delete.service.ts';
import * as pieces from './piece.service.ts';
import * as publication from './publication.service.ts';
import * as versions from './version.service.ts';

const policy = administrators;

function draftRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listPieces, {
    policy,
    handle: async ({ ctx, query }) => await pieces.listPieces(ctx, query),
  });
  implement(app, ctx, contract.createPiece, {
    policy,
    handle: async ({ ctx, viewer, body }) => await pieces.createPiece(ctx, viewer, body),
  });
  implement(app, ctx, contract.readPiece, {
    policy,
    handle: async ({ ctx, params }) => await pieces.readPiece(ctx, params),
  });
  implement(app, ctx, contract.savePiece, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await pieces.savePiece(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.previewPiece, {
    policy,
    handle: async ({ ctx, params, query, locale }) => await pieces.previewPiece(ctx, params, query.locale ?? locale),
  });
}

function publicationRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.publishPiece, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await publication.publishPiece(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.withdrawPiece, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await publication.withdrawPiece(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.discardDraft, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await publication.discardDraft(ctx, viewer, params, body),
  });
  implement(app, ctx, contract.deletePiece, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => void (await deletePiece(ctx, viewer, params, body)),
  });
  implement(app, ctx, contract.orderJourneys, {
    policy,
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
    policy,
    handle: async ({ ctx, params, query }) => await versions.listPieceVersions(ctx, params, query),
  });
  implement(app, ctx, contract.comparePiece, {
    policy,
    handle: async ({ ctx, params, query }) => await versions.comparePiece(ctx, params, query),
  });
  implement(app, ctx, contract.restorePieceVersion, {
    policy,
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
