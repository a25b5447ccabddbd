import { sql } from 'kysely';
import type { CommunityPrivacy, Level, Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import type { BadgeCommunityRow, ProfileCommunityRow, ProfileRow } from './profile.view.ts';

/** A profile. Undefined for an unknown or erased account. */
export async function getProfile(db: Db, userId: string): Promise<ProfileRow | undefined> {
  return await db
    .selectFrom('users')
    .select((eb) => [
      'id',
      'name',
      'job_title',
      'organization',
      'location',
      'onboarding_state',
      'biography',
      'bio_link',
      'image_full',
      'image_thumbnail',
      'badges',
      'visibility',
      'created_at as joined_at',
      eb('email_proven_at', 'is not', null).as('is_proven'),
    ])
    .$narrowType<Pick<ProfileRow, 'location' | 'badges' | 'visibility' | 'is_proven'>>()
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

/** Communities `c` with their entry `e`, and the viewer's own membership. */
function communitiesFor(db: Db, viewerId: string) {
  return db
    .selectFrom('communities as c')
    .innerJoin('entries as e', 'e.id', 'c.entry_id')
    .leftJoin('products as p', 'p.entry_id', 'c.entry_id')
    .leftJoin('community_members as v', (join) =>
      join
        .onRef('v.community_id', '=', 'c.id')
        .on('v.user_id', '=', viewerId)
        .on((eb) => sql<boolean>`(${eb.ref('v.expires_on')} <= now()) is not true`),
    )
    .select((eb) => [
      'c.slug',
      'c.privacy',
      sql<Scope>`coalesce(${eb.ref('p.can_view')}, 'private')`.as('can_view'),
      sql<Scope>`coalesce(${eb.ref('p.can_join')}, 'private')`.as('can_join'),
      sql<boolean>`is_granted(${viewerId}, ${eb.ref('c.entry_id')})`.as('is_granted'),
      'v.role as viewer_role',
      'v.level as viewer_level',
      'v.status as viewer_status',
    ])
    .$narrowType<{
      privacy: CommunityPrivacy;
      viewer_role: 'owner' | 'member' | null;
      viewer_level: Level | null;
      viewer_status: 'active' | 'pending' | 'invited' | null;
    }>();
}

/** Communities of a user, each with the viewer's own membership. */
export async function findCommunitiesOf(
  db: Db,
  { userId, viewerId }: { userId: string; viewerId: string },
): Promise<ProfileCommunityRow[]> {
  return await communitiesFor(db, viewerId)
    .innerJoin('community_members as m', 'm.community_id', 'c.id')
    .select(['c.title', 'm.role'])
    .$narrowType<{ title: Record<string, string>; role: 'owner' | 'member' }>()
    .where('e.status', '=', 'published')
    .where('m.user_id', '=', userId)
    .where('m.status', '=', 'active')
    .where((eb) => sql<boolean>`(${eb.ref('m.expires_on')} <= now()) is not true`)
    .orderBy('m.joined_at')
    .orderBy('c.slug')
    .limit(200)
    .execute();
}

/** Communities with these slugs, including withdrawn ones, each with the viewer's own membership. */
export async function findCommunitiesNamed(
  db: Db,
  { slugs, viewerId }: { slugs: string[]; viewerId: string },
): Promise<BadgeCommunityRow[]> {
  if (slugs.length === 0) return [];
  return await communitiesFor(db, viewerId)
    .select((eb) => eb('e.status', '=', 'published').as('is_published'))
    .$narrowType<{ is_published: boolean }>()
    .where('c.slug', 'in', slugs)
    .execute();
}
