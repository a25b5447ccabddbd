import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import * as store from '#server/areas/importing/import.repository.ts';
import type { PieceKey } from './piece.policy.ts';
import { findParts } from './piece-part.repository.ts';
import * as pieces from './piece.repository.ts';
import { docOf, openPiece, openToChange } from './piece-open.service.ts';
import { keep } from './piece.service.ts';

/** Deletes a piece that was never published. A published piece can only be withdrawn, because learners have used it. */
export async function deletePiece(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  { version }: { version: number },
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    await store.lockImport(db); // concurrent publications of its parts wait
    await pieces.lockPieces(db, [piece]);
    const row = await openToChange(db, actor, piece, 'edit-content');
    if (row.version !== version) throw new AppError('content.changed_meanwhile');
    if (row.live || row.lastNumber > 0) throw new AppError('content.was_live');
    const doc = docOf(row);
    if (piece.kind === 'lesson' && row.parent !== null) await takeOut(db, actor, piece.key, row.parent);
    for (const each of await withParts(db, piece)) await pieces.deletePiece(db, each);
    const detail = { kind: piece.kind, slug: doc.slug };
    await recordAction(db, actor, { action: 'content.delete-piece', object: piece.key, detail });
  });
}

/** Returns a piece and all its parts, innermost first. Parts of an unpublished piece are unpublished too. */
async function withParts(db: Db, piece: PieceKey): Promise<PieceKey[]> {
  const all: PieceKey[] = [];
  for (const part of await findParts(db, piece)) all.push(...(await withParts(db, part)));
  return [...all, { kind: piece.kind, key: piece.key }];
}

/** Removes a lesson from the outline of its journey, which may contain only existing lessons. */
async function takeOut(db: Db, actor: UserViewer, lesson: string, journey: string): Promise<void> {
  const above = { kind: 'journey' as const, key: journey };
  const row = await openPiece(db, above);
  const doc = docOf(row);
  if (doc.kind !== 'journey' || !doc.sections.some(({ lessons }) => lessons.includes(lesson))) return;
  const sections = doc.sections.map((each) => ({ ...each, lessons: each.lessons.filter((key) => key !== lesson) }));
  await keep(db, actor, above, row, { ...doc, sections }, row.version);
}
