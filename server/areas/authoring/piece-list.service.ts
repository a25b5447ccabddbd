import type { listPieces as List } from '@officium/contract/authoring';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { placesWith } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { invalid } from '#server/errors.ts';
import { readPosition, writePosition } from './piece-list.policy.ts';
import { findPieces, type ListedRow } from './piece-list.repository.ts';

export async function listPieces(
  ctx: Ctx,
  viewer: UserViewer,
  { continuationToken, ...filter }: InputOf<typeof List>['query'],
): Promise<ReplyOf<typeof List>> {
  const { limit, under, sort } = filter;
  const isPaged = !under || under.length === 1;
  const order = under?.join() ?? sort;
  const after = continuationToken === undefined ? undefined : readPosition(continuationToken, order);
  if (continuationToken !== undefined && !(after && isPaged))
    throw invalid('continuationToken', 'The continuation token is not valid');
  const places = placesWith(viewer, 'read-content');
  const more = isPaged ? 1 : 0;
  const { rows, total } = await findPieces(ctx.db, { ...filter, limit: limit + more, after, places });
  const page = isPaged ? rows.slice(0, limit) : rows;
  const last = page.at(-1);
  return {
    pieces: page.map(toListed),
    total,
    ...(last && page.length < rows.length ? { continuationToken: writePosition(last, order) } : {}),
  };
}

function toListed(row: ListedRow): ReplyOf<typeof List>['pieces'][number] {
  const { kind, key, slug, title, state, languages, updatedAt, course, journey, under, section, parts } = row;
  const shown = { kind, key, slug, title, state, languages, updatedAt: updatedAt.toISOString() };
  return { ...shown, course, journey, under, section, parts };
}
