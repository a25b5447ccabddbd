import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { BadgeCommunityRow, ProfileCommunityRow, ProfileRow } from './profile.view.ts';

/** A profile; undefined for nobody and for an erased account. */
export async function getProfile(db: Db, userId: string): Promise<ProfileRow | undefined> {
  const { rows } = await sql<ProfileRow>`
    select id, name, job_title, organization, location, onboarding_state, biography, image_full, image_thumbnail, badges,
           visibility, created_at as joined_at, email_proven_at is not null as is_proven
    from users where id = ${userId} and erased_at is null`.execute(db);
  return rows[0];
}

/** The community `c` with its product `p`, and the reader's membership `r` in it. */
const readerColumns = (readerId: string) => sql`
  c.slug, c.privacy, coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
  is_granted(${readerId}, c.entry_id) as is_granted,
  r.role as reader_role, r.level as reader_level, r.status as reader_status`;

/** The communities a person is a member of, each with what the reader is there. */
export async function findCommunitiesOf(
  db: Db,
  { userId, readerId }: { userId: string; readerId: string },
): Promise<ProfileCommunityRow[]> {
  const { rows } = await sql<ProfileCommunityRow>`
    select ${readerColumns(readerId)}, c.title, m.role
    from community_members m
    join communities c on c.id = m.community_id
    join entries e on e.id = c.entry_id and e.status = 'published'
    left join products p on p.entry_id = c.entry_id
    left join community_members r
      on r.community_id = c.id and r.user_id = ${readerId} and (r.expires_on <= now()) is not true
    where m.user_id = ${userId} and m.status = 'active' and (m.expires_on <= now()) is not true
    order by m.joined_at, c.slug limit 200`.execute(db);
  return rows;
}

/** The communities of these slugs, withdrawn ones too, each with what the reader is there. */
export async function findCommunitiesNamed(
  db: Db,
  { slugs, readerId }: { slugs: string[]; readerId: string },
): Promise<BadgeCommunityRow[]> {
  if (slugs.length === 0) return [];
  const { rows } = await sql<BadgeCommunityRow>`
    select ${readerColumns(readerId)}, e.status = 'published' as is_published
    from communities c
    join entries e on e.id = c.entry_id
    left join products p on p.entry_id = c.entry_id
    left join community_members r
      on r.community_id = c.id and r.user_id = ${readerId} and (r.expires_on <= now()) is not true
    where c.slug = any(${slugs})`.execute(db);
  return rows;
}
