import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { listMedia } from '@officium/contract/media-library';
import { placesWith } from '#server/access/roles.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import { mediaOfKey, readerUrl } from '#server/areas/catalogue/media-access.policy.ts';
import type { Ctx } from '#server/ctx.ts';
import { invalid } from '#server/errors.ts';
import { readPosition, searched, writePosition } from './media-list.policy.ts';
import { type FileRow, findFiles } from './media-list.repository.ts';

/** Lists stored files; holders of roles see those of pieces that they may edit. */
export async function listFiles(
  ctx: Ctx,
  viewer: UserViewer,
  { continuationToken, limit, q, ...filter }: InputOf<typeof listMedia>['query'],
): Promise<ReplyOf<typeof listMedia>> {
  const after = continuationToken === undefined ? undefined : readPosition(continuationToken);
  if (continuationToken !== undefined && !after)
    throw invalid('continuationToken', 'The continuation token is not valid');
  const rows = await findFiles(ctx.db, {
    ...filter,
    q: searched(q),
    limit: limit + 1,
    after,
    places: placesWith(viewer, 'edit-content'),
    isAll: isAdministrator(viewer),
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    files: page.map((row) => toFile(ctx, row)),
    ...(last && rows.length > limit ? { continuationToken: writePosition(last) } : {}),
  };
}

/** The address of a recording is signed, because the viewer may read a piece that shows it. */
function toFile({ seal, clock }: Ctx, row: FileRow): ReplyOf<typeof listMedia>['files'][number] {
  const { key, name, bytes, uploadedBy, storedAt, isInContent, isInSite, pieces, pieceCount } = row;
  return {
    key,
    name,
    url: readerUrl(seal.hash, key, clock.now()),
    kind: mediaOfKey(key)?.kind ?? 'picture',
    extension: key.slice(key.lastIndexOf('.') + 1),
    bytes,
    uploadedBy,
    storedAt: storedAt.toISOString(),
    isUnused: !isInContent && !isInSite,
    isOfSite: isInSite,
    pieces,
    pieceCount,
  };
}
