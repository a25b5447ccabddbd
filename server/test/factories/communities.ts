import type { Locale, LocalizedText } from '@officium/contract/common';
import type { CommunityPrivacy, Level, Scope } from '../../access/can.ts';
import { insertActivity } from '#server/areas/community/posts/activity.repository.ts';
import { writeBody } from '#server/areas/community/posts/body.service.ts';
import { putMember } from '#server/areas/community/members/member.repository.ts';
import { addReaction } from '#server/areas/community/reactions/reaction.repository.ts';
import { notify } from '#server/notify/notify.ts';
import { type Db, inTransaction, newId } from '../../db/client.ts';

// These take a database instead of a test, because the demo uses them too. Counters and scores are as if everything had
// been done through the API at the given times.

let counter = 0;

export type TestCommunity = { id: string; slug: string; entryId: string };

/** Creates a community with its entry and product; by default open and visible to everyone. */
export async function makeCommunity(
  db: Db,
  given: {
    slug?: string;
    title?: LocalizedText;
    description?: LocalizedText;
    privacy?: CommunityPrivacy;
    canView?: Scope;
    canJoin?: Scope;
    locale?: Locale;
    categories?: string[];
    position?: number;
  } = {},
): Promise<TestCommunity> {
  counter += 1;
  const id = newId();
  const slug = given.slug ?? `community-${counter}-${id.slice(-6)}`;
  const entryId = `community-${slug}`;
  const title = given.title ?? { en: `Community ${counter}` };
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('entries')
      .values({
        id: entryId,
        content_type: 'communityPage',
        source: 'folder',
        slug: JSON.stringify({ en: slug }),
        fields: JSON.stringify({ title }),
      })
      .execute();
    await trx
      .insertInto('products')
      .values({
        entry_id: entryId,
        content_type: 'communityPage',
        can_view: given.canView ?? 'public',
        can_join: given.canJoin ?? given.canView ?? 'authenticated',
      })
      .execute();
    await trx
      .insertInto('communities')
      .values({
        id,
        entry_id: entryId,
        slug,
        title: JSON.stringify(title),
        description: JSON.stringify(given.description ?? { en: 'What it is about' }),
        privacy: given.privacy ?? 'open-visible',
        locale: given.locale ?? 'en',
        categories: given.categories ?? [],
        position: given.position ?? 0,
      })
      .execute();
  });
  return { id, slug, entryId };
}

/** Makes a user a member, active by default. */
export async function makeMember(
  db: Db,
  community: { id: string },
  user: { id: string },
  given: {
    role?: 'owner' | 'member';
    level?: Level | null;
    status?: 'active' | 'pending' | 'invited';
    joinedAt?: Date;
  } = {},
): Promise<void> {
  await putMember(db, { communityId: community.id, userId: user.id, ...given, status: given.status ?? 'active' });
  if (given.status === 'invited')
    await notify(db, [{ userId: user.id, event: 'community_invitation', objectId: community.id }]);
}

/** Creates a post and counts it in its community. */
export async function makeActivity(
  db: Db,
  community: { id: string },
  author: { id: string },
  given: {
    title?: string | null;
    body?: string;
    categories?: string[];
    locale?: Locale;
    additionalData?: object;
    createdAt?: Date;
  } = {},
): Promise<string> {
  return await inTransaction(
    db,
    async (trx) =>
      await insertActivity(trx, {
        ...(await writeBody(trx, { communityId: community.id }, given.body ?? 'What I wanted to say')),
        communityId: community.id,
        authorId: author.id,
        verb: 'post',
        title: given.title ?? null,
        locale: given.locale ?? 'en',
        categories: given.categories,
        additionalData: given.additionalData,
        createdAt: given.createdAt,
      }),
  );
}

/** Adds a reply, like or pin to an activity or a reaction. */
export async function makeReaction(
  db: Db,
  community: { id: string },
  target: { activityId: string } | { reactionId: string },
  user: { id: string },
  given: { kind?: 'like' | 'pin' | 'reply'; body?: string; locale?: Locale; createdAt?: Date } = {},
): Promise<string> {
  const kind = given.kind ?? 'reply';
  const { outcome, id } = await addReaction(db, { communityId: community.id }, target, {
    ...(await writeBody(
      db,
      { communityId: community.id },
      kind === 'reply' ? (given.body ?? 'What I think of it') : undefined,
      { isReply: kind === 'reply' },
    )),
    kind,
    userId: user.id,
    locale: given.locale ?? 'en',
    createdAt: given.createdAt,
  });
  if (outcome !== 'done') throw new Error(`the reaction was not added: ${outcome}.`);
  return id;
}
