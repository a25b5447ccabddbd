import { sql, type RawBuilder } from 'kysely';
import type { LocalizedText } from '@officium/contract/common';
import { countPeople } from '#server/access/people-tally.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { Db } from '#server/db/client.ts';
import { escaped, holdsWord, isOfSigns } from '#server/areas/people/word.sql.ts';

export type FoundPersonRow = {
  id: string;
  name: string;
  email: string | null;
  role: string;
  organization: string | null;
  email_proven_at: Date | null;
  registration_status: string | null;
  second_factor: boolean;
  created_at: Date;
};

const FOUND = sql`u.id, u.name, u.email, u.role, u.organization, u.email_proven_at, u.registration_status,
  u.second_factor, u.created_at`;

/** As `stateOf` in person.view.ts tells them apart. */
const STATES: Record<string, RawBuilder<unknown>> = {
  unproven: sql`u.email_proven_at is null`,
  inactive: sql`u.email_proven_at is not null and u.role = 'inactive'`,
  waiting: sql`u.email_proven_at is not null and u.role = 'non-public-servant' and u.registration_status = 'pending'`,
  refused: sql`u.email_proven_at is not null and u.role <> 'inactive' and u.registration_status = 'refused'`,
  active: sql`u.email_proven_at is not null and u.role <> 'inactive' and u.registration_status is distinct from 'refused'
    and not (u.role = 'non-public-servant' and u.registration_status is not distinct from 'pending')`,
};

// Ids sort by time.
const SORTS: Record<string, RawBuilder<unknown>> = {
  name: sql`lower(u.name), u.id`,
  '-name': sql`lower(u.name) desc, u.id desc`,
  createdAt: sql`u.id`,
  '-createdAt': sql`u.id desc`,
};

/** Accounts that hold every word in what their profile says or in their address. */
export async function findAccounts(
  db: Db,
  search: { words: string[]; role?: string; state?: string; sort: string; limit: number; offset: number },
): Promise<{ rows: FoundPersonRow[]; total: number }> {
  const where = sql.join(
    [
      sql`u.erased_at is null`,
      ...(search.role === undefined ? [] : [sql`u.role = ${search.role}`]),
      ...(search.state === undefined ? [] : [STATES[search.state] ?? sql`false`]),
      // No address has such signs. Addresses are shorter than profiles, so they are looked at first.
      ...search.words.map((word) =>
        isOfSigns(word)
          ? holdsWord(word)
          : sql`(u.email like ${`%${escaped(word).toLowerCase()}%`} or ${holdsWord(word)})`,
      ),
    ],
    sql` and `,
  );
  const { rows } = await sql<FoundPersonRow & { total: number }>`
    select ${FOUND} from users u where ${where} order by ${SORTS[search.sort] ?? SORTS['name']!}
    limit ${search.limit} offset ${search.offset}`.execute(db); // `!`: it is one of the four
  const counted = await sql<{ total: number }>`${
    search.words.length > 0
      ? sql`select count(*)::int as total from users u where ${where}`
      : sql`select ${countPeople({ role: search.role, state: search.state })} as total`
  }`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

type Some<T> = { total: number; first: T[] };
export type ListedPersonRow = FoundPersonRow & {
  image_thumbnail: string | null;
  job_title: string | null;
  locale: string;
  visibility: string;
  badges: unknown;
  registration_reason: string | null;
  has_password: boolean;
  last_seen_at: Date | null;
  communities: Some<{ slug: string; title: LocalizedText; role: string }>;
  cohorts: Some<{ id: string; name: string }>;
  enrolments: Some<{ course: LocalizedText; journey: LocalizedText; status: string }>;
  posts: number;
  certificates: number;
};

/** How many rows there are, and the first ten as JSON. */
const some = (rows: RawBuilder<unknown>, columns: RawBuilder<unknown>) => sql`
  (select json_build_object('total', count(*), 'first', coalesce(json_agg(json_build_object(${columns}) order by r.nth)
     filter (where r.nth <= 10), '[]'::json)) from (${rows}) r)`;

/** One account with what hangs on it, in short; what was withdrawn is shown to nobody. */
export async function getPerson(db: Db, id: string): Promise<ListedPersonRow | undefined> {
  const communities = some(
    sql`select c.slug, c.title, m.role, row_number() over (order by m.joined_at desc) as nth
      from community_members m join communities c on c.id = m.community_id
      join entries x on x.id = c.entry_id and x.status = 'published' where m.user_id = u.id and m.status = 'active'`,
    sql`'slug', r.slug, 'title', r.title, 'role', r.role`,
  );
  const cohorts = some(
    sql`select c.id, c.name, row_number() over (order by m.joined_at desc) as nth
      from cohort_members m join cohorts c on c.id = m.cohort_id where m.user_id = u.id`,
    sql`'id', r.id, 'name', r.name`,
  );
  const enrolments = some(
    sql`select e.course, e.journey, e.status, row_number() over (order by e.at desc) as nth from (
      select co.title as course, j.title as journey, enrolment_status(je.status, je.expires_on) as status, je.created_at as at
      from journey_enrolments je join journeys j on j.key = je.journey_key join courses co on co.id = j.course_id
      where je.user_id = u.id and ${IS_PUBLISHED_JOURNEY}) e`,
    sql`'course', r.course, 'journey', r.journey, 'status', r.status`,
  );
  const { rows } = await sql<ListedPersonRow>`
    select ${FOUND}, u.image_thumbnail, u.job_title, u.locale, u.visibility, u.badges, u.registration_reason,
      u.password_hash is not null as has_password,
      (select max(s.last_seen_at) from sessions s where s.user_id = u.id) as last_seen_at,
      ${communities} as communities, ${cohorts} as cohorts, ${enrolments} as enrolments,
      (select count(*)::int from activities a where a.author_id = u.id and a.deleted_at is null)
        + (select count(*)::int from activities a where a.author_id = u.id and a.deleted_at is not null) as posts,
      (select count(*)::int from certificates c where c.user_id = u.id) as certificates
    from users u where u.id = ${id} and u.erased_at is null`.execute(db);
  return rows[0];
}
