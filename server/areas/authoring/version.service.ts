import type { comparePiece as Compare, listPieceVersions as Versions } from '@officium/contract/authoring';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import type { PieceKey, StoredDoc } from './piece.policy.ts';
import * as stored from './piece-version.repository.ts';
import * as pieces from './piece.repository.ts';
import type { PieceRow } from './piece.repository.ts';
import { findParts } from './piece-part.repository.ts';
import { withAccessOf } from './piece-change.policy.ts';
import { docOf, liveOf, openAs, openToChange } from './piece-open.service.ts';
import { keep } from './piece.service.ts';
import { differences } from './version.view.ts';

export async function listPieceVersions(
  ctx: Ctx,
  viewer: UserViewer,
  piece: PieceKey,
  page: { limit: number; offset: number },
): Promise<ReplyOf<typeof Versions>> {
  await openAs(ctx.db, viewer, piece);
  const [found, total] = await Promise.all([
    stored.findVersions(ctx.db, { ...piece, ...page }),
    stored.countVersions(ctx.db, piece),
  ]);
  const versions = found.map(({ isPersonDeleted, at, ...version }) => ({
    ...version,
    isPersonDeleted: isPersonDeleted || undefined,
    at: at.toISOString(),
  }));
  return { versions, total };
}

type Side = InputOf<typeof Compare>['query']['from'];

async function sideOf(ctx: Ctx, piece: PieceKey, row: PieceRow, side: Side): Promise<StoredDoc> {
  const doc =
    side === 'draft'
      ? docOf(row)
      : side === 'live'
        ? liveOf(row)
        : await stored.getVersion(ctx.db, { ...piece, number: side });
  if (!doc) throw notFound();
  return doc;
}

export async function comparePiece(
  ctx: Ctx,
  viewer: UserViewer,
  piece: PieceKey,
  { from, to }: InputOf<typeof Compare>['query'],
): Promise<ReplyOf<typeof Compare>> {
  const row = await openAs(ctx.db, viewer, piece);
  const [before, after, parts] = await Promise.all([
    sideOf(ctx, piece, row, from),
    sideOf(ctx, piece, row, to),
    findParts(ctx.db, piece),
  ]);
  return { changes: differences(before, after, parts) };
}

/** Restores an old version as the draft and stores the previous draft as a version. */
export async function restorePieceVersion(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  { number, version }: { number: number; version: number },
): Promise<{ version: number }> {
  return await inTransaction(ctx.db, async (db) => {
    const row = await openToChange(db, actor, piece, 'publish-content');
    const old = await stored.getVersion(db, { ...piece, number });
    if (!old) throw notFound();
    const { slug } = docOf(row);
    const isTaken =
      old.slug !== slug && (await pieces.isSlugTaken(db, { ...piece, parent: row.parent, slug: old.slug }));
    const restored = isTaken ? { ...old, slug } : old;
    const doc = isAdministrator(actor) ? restored : withAccessOf(docOf(row), restored);
    const next = await keep(db, actor, piece, row, doc, version);
    if (row.draft) {
      const aside = {
        ...piece,
        number: row.lastNumber + 1,
        source: 'draft' as const,
        doc: row.draft,
        userId: actor.id,
      };
      await stored.insertVersion(db, aside);
      await stored.deleteOldDrafts(db, piece);
    }
    await recordAction(db, actor, {
      action: 'content.restore-version',
      object: piece.key,
      detail: { kind: piece.kind, number },
    });
    return { version: next };
  });
}
