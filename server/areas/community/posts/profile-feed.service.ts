import { recordHourly } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { rightsIn } from '../members/access.service.ts';
import { rightsOnProfile } from './activity.policy.ts';
import { nextOffset } from '../page.view.ts';
import { type FeedPlace, findProfileFeed } from './profile-feed.repository.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { activityTexts, type PostPlace } from '../reading/post.view.ts';
import { hydrate } from '../reading/hydrate.service.ts';
import { withinBytes } from '../reading/page-bytes.view.ts';
import { type PostKey, rowKeysOf, toPostKeys } from '../reading/post-skeleton.repository.ts';

/** A page of a person's posts that the viewer may read: the contract's reply as JSON text. */
export async function listProfileActivities(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  { ref, limit, offset }: { ref: string; limit: number; offset: number },
): Promise<string> {
  const { viewer } = localViewer;
  const row = await findProfileFeed(ctx.db, localViewer, {
    authorId: ref === 'me' ? viewer.id : ref,
    limit,
    offset,
  });
  if (!row) throw notFound();
  // Record each closed community that an administrator reads from, as its own feed does.
  for (const object of row.closedIds) await recordHourly(ctx.db, viewer, { action: 'community.read-private', object });
  const places = new Map(row.places.map((place) => [place.id, placeIn(viewer, place)]));
  const ownProfile = { community: null, rights: rightsOnProfile(viewer), owners: new Set<string>() };
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
  rights: rightsIn(viewer, row),
  owners: new Set(owners),
});
