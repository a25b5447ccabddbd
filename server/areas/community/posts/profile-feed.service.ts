import { recordHourly } from '#server/audit/audit.ts';
import { admits, openCommunitySlugs, SCOPES } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { standingIn } from '../members/access.service.ts';
import { standingOnProfile } from './activity.policy.ts';
import { nextOffset } from '../page.view.ts';
import { type FeedPlace, findProfileFeed } from './profile-feed.repository.ts';
import type { Reader } from '../reader.sql.ts';
import { activityTexts, type PostPlace } from '../reading/post.view.ts';
import { hydrate } from '../reading/hydrate.service.ts';
import { withinBytes } from '../reading/page-bytes.view.ts';
import { type PostKey, rowKeysOf, toPostKeys } from '../reading/post-skeleton.repository.ts';

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
  const places = new Map(row.places.map((place) => [place.id, placeIn(viewer, place)]));
  const ownProfile = { community: null, standing: standingOnProfile(viewer), owners: new Set<string>() };
  const all = toPostKeys(row.posts);
  const posts = withinBytes(all);
  const placeOf = ({ communityId }: PostKey) => (communityId && places.get(communityId)) || ownProfile;
  const texts = activityTexts(viewer, posts, await hydrate(ctx, rowKeysOf(posts)), row, placeOf);
  const length = posts.length < all.length ? posts.length : undefined;
  const next = nextOffset({ limit, offset, length }, row.total);
  return `{"results":[${texts.join(',')}],"total":${row.total},"nextOffset":${next}}`;
}

const placeIn = (viewer: UserViewer, { title, owners, ...row }: FeedPlace): PostPlace => ({
  community: { slug: row.slug, title },
  standing: standingIn(viewer, row),
  owners: new Set(owners),
});
