import type { noteWriter as NoteWriter } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { openAs } from './piece-open.service.ts';
import type { PieceKey } from './piece.policy.ts';
import * as writers from './piece-writer.repository.ts';

/** Notes that a person has a piece open, and returns who else has. Only people who may change it are told. */
export async function noteWriter(ctx: Ctx, actor: UserViewer, piece: PieceKey): Promise<ReplyOf<typeof NoteWriter>> {
  const { version } = await openAs(ctx.db, actor, piece, 'translate-content');
  await writers.putWriter(ctx.db, piece, actor.id);
  const others = await writers.findOtherWriters(ctx.db, piece, actor.id);
  return { version, writers: others.map(({ name, since }) => ({ name, since: since.toISOString() })) };
}
