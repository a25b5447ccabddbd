import { recordHourly } from '#server/access/audit.ts';
import { admits, openCommunitySlugs, SCOPES } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { nextOffset } from './page.ts';
import { findProfileFeed } from './profile-feed.repository.ts';
import type { Reader } from './reader.sql.ts';

/** A page of what a person said, as the reader may read it: the contract's reply as JSON text. */
export async function listProfileActivities(
  ctx: Ctx,
  reader: Reader<UserViewer>,
  { ref, limit, offset }: { ref: string; limit: number; offset: number },
): Promise<string> {
  const { viewer } = reader;
  const row = await findProfileFeed(ctx.db, reader, {
    authorId: ref === 'me' ? viewer.id : ref,
    scopes: SCOPES.filter((scope) => admits(scope, viewer, false)),
    seesAll: isAdministrator(viewer),
    slugs: openCommunitySlugs(viewer),
    limit,
    offset,
  });
  if (!row) throw notFound();
  // Of an administrator who reads what is said in a closed community it is noted, wherever they read it.
  for (const object of row.strangeIds) await recordHourly(ctx.db, viewer, { action: 'community.read-private', object });
  return `{"results":${row.results},"total":${row.total},"nextOffset":${nextOffset({ limit, offset }, row.total)}}`;
}
