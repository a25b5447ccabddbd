import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { LocalizedText } from '@officium/contract/common';
import { countPeople } from '#server/access/people-tally.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { Db } from '#server/db/client.ts';
import type { DB, Users } from '#server/db/schema.ts';
import { escapeLike, containsWord, isTooShortForTrigrams } from '#server/areas/people/word.sql.ts';

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
  last_seen_at: Date | null;
};

const FOUND = [
  'u.id',
  'u.name',
  'u.email',
  'u.role',
  'u.organization',
  'u.email_proven_at',
  'u.registration_status',
  'u.second_factor',
  'u.created_at',
] as const;

type FromUser = ExpressionBuilder<DB & { u: Users }, 'u'>;

/** Conditions for the states of an account. Must match `stateOf` in person.view.ts. */
const STATES: Record<string, (eb: FromUser) => Expression<SqlBool>> = {
  unproven: (eb) => eb('u.email_proven_at', 'is', null),
  inactive: (eb) => eb.and([eb('u.email_proven_at', 'is not', null), eb('u.role', '=', 'inactive')]),
  waiting: (eb) =>
    eb.and([
      eb('u.email_proven_at', 'is not', null),
      eb('u.role', '=', 'non-public-servant'),
      eb('u.registration_status', '=', 'pending'),
    ]),
  refused: (eb) =>
    eb.and([
      eb('u.email_proven_at', 'is not', null),
      eb('u.role', '<>', 'inactive'),
      eb('u.registration_status', '=', 'refused'),
    ]),
  active: (eb) =>
    eb.and([
      eb('u.email_proven_at', 'is not', null),
      eb('u.role', '<>', 'inactive'),
      eb('u.registration_status', 'is distinct from', 'refused'),
      eb.or([eb('u.role', '<>', 'non-public-servant'), eb('u.registration_status', 'is distinct from', 'pending')]),
    ]),
};

const lastSeen = (eb: FromUser) =>
  eb
    .selectFrom('sessions as s')
    .select((of) => of.fn.max('s.last_seen_at').as('last_seen_at'))
    .whereRef('s.user_id', '=', 'u.id');

export type AccountSearch = {
  words: string[];
  role?: string;
  state?: string;
  organization?: string;
  cohort?: string;
  notSeenSince?: string;
  sort: string;
  limit: number;
  offset: number;
};

const dayStart = (day: string) => sql<Date>`${day}::timestamp at time zone 'UTC'`;

/** Accounts whose profile or address contains every word. */
export async function findAccounts(db: Db, search: AccountSearch): Promise<{ rows: FoundPersonRow[]; total: number }> {
  const { words, role, state, organization, cohort, notSeenSince, sort } = search;
  let matching = db.selectFrom('users as u').where('u.erased_at', 'is', null);
  if (role !== undefined) matching = matching.where('u.role', '=', role);
  if (state !== undefined) matching = matching.where((eb) => STATES[state]?.(eb) ?? eb.lit(false));
  if (organization !== undefined)
    matching = matching.where((eb) =>
      eb(eb.fn('lower', ['u.organization']), '=', eb.fn('lower', [eb.val(organization)])),
    );
  if (cohort !== undefined)
    matching = matching.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('cohort_members as m')
          .innerJoin('cohorts as c', (join) => join.onRef('c.id', '=', 'm.cohort_id').on('c.deleted_at', 'is', null))
          .select('m.user_id')
          .where('m.cohort_id', '=', cohort)
          .whereRef('m.user_id', '=', 'u.id'),
      ),
    );
  if (notSeenSince !== undefined)
    matching = matching.where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions as s')
            .select('s.id')
            .whereRef('s.user_id', '=', 'u.id')
            .where('s.last_seen_at', '>=', dayStart(notSeenSince)),
        ),
      ),
    );
  for (const word of words) {
    const inProfile = containsWord(word);
    // Addresses never contain such characters. They are shorter than profiles, so they are checked first.
    const inAddress = isTooShortForTrigrams(word) ? undefined : `%${escapeLike(word).toLowerCase()}%`;
    matching = matching.where((eb) =>
      inAddress === undefined ? inProfile : eb.or([eb('u.email', 'like', inAddress), inProfile]),
    );
  }
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const rows = await matching
    .select(FOUND)
    .select((eb) => lastSeen(eb).as('last_seen_at'))
    .$if(!sort.endsWith('createdAt'), (query) => query.orderBy((eb) => eb.fn('lower', ['u.name']), direction))
    .orderBy('u.id', direction) // ids are UUIDv7, so they sort by creation time
    .limit(search.limit)
    .offset(search.offset)
    .execute();
  const isNarrowed = [organization, cohort, notSeenSince].some((value) => value !== undefined);
  const counted =
    words.length > 0 || isNarrowed
      ? matching.select(sql<number>`count(*)::int`.as('total'))
      : db.selectNoFrom(countPeople({ role, state }).as('total'));
  const { total } = await counted.executeTakeFirstOrThrow();
  return { rows, total };
}

type Some<T> = { total: number; first: T[] };
type Community = { slug: string; title: LocalizedText; role: string };
type Cohort = { id: string; name: string };
type Enrolment = { course: LocalizedText; journey: LocalizedText; status: string };
export type ListedPersonRow = FoundPersonRow & {
  image_thumbnail: string | null;
  job_title: string | null;
  locale: string;
  visibility: string;
  badges: unknown;
  registration_reason: string | null;
  has_password: boolean;
  communities: Some<Community>;
  cohorts: Some<Cohort>;
  enrolments: Some<Enrolment>;
  posts: number;
  certificates: number;
};

/** The number of rows and the first ten as JSON. Raw SQL, because it numbers the rows with a window function. */
const some = <T>(rows: RawBuilder<unknown>, columns: RawBuilder<unknown>) => sql<Some<T>>`
  (select json_build_object('total', count(*), 'first', coalesce(json_agg(json_build_object(${columns}) order by r.nth)
     filter (where r.nth <= 10), '[]'::json)) from (${rows}) r)`;

/** An account with a summary of its memberships, cohorts and enrolments. Leaves out withdrawn content. */
export async function getPerson(db: Db, id: string): Promise<ListedPersonRow | undefined> {
  const communities = some<Community>(
    sql`select c.slug, c.title, m.role, row_number() over (order by m.joined_at desc) as nth
      from community_members m join communities c on c.id = m.community_id
      join entries x on x.id = c.entry_id and x.status = 'published' where m.user_id = u.id and m.status = 'active'`,
    sql`'slug', r.slug, 'title', r.title, 'role', r.role`,
  );
  const cohorts = some<Cohort>(
    sql`select c.id, c.name, row_number() over (order by m.joined_at desc) as nth
      from cohort_members m join cohorts c on c.id = m.cohort_id
      where m.user_id = u.id and c.deleted_at is null`,
    sql`'id', r.id, 'name', r.name`,
  );
  const enrolments = some<Enrolment>(
    sql`select e.course, e.journey, e.status, row_number() over (order by e.at desc) as nth from (
      select co.title as course, j.title as journey, enrolment_status(je.status, je.expires_on) as status, je.created_at as at
      from journey_enrolments je join journeys j on j.key = je.journey_key join courses co on co.id = j.course_id
      where je.user_id = u.id and ${IS_PUBLISHED_JOURNEY}) e`,
    sql`'course', r.course, 'journey', r.journey, 'status', r.status`,
  );
  const count = sql<number>`count(*)::int`.as('count');
  return await db
    .selectFrom('users as u')
    .select(FOUND)
    .select([
      'u.image_thumbnail',
      'u.job_title',
      'u.locale',
      'u.visibility',
      'u.badges',
      'u.registration_reason',
      communities.as('communities'),
      cohorts.as('cohorts'),
      enrolments.as('enrolments'),
    ])
    .select((eb) => {
      // Counted in two parts, each from its own partial index.
      const posts = eb.selectFrom('activities as a').select(count).whereRef('a.author_id', '=', 'u.id');
      const shown = posts.where('a.deleted_at', 'is', null).$asScalar().$notNull();
      const deleted = posts.where('a.deleted_at', 'is not', null).$asScalar().$notNull();
      return [
        eb('u.password_hash', 'is not', null).$castTo<boolean>().as('has_password'),
        lastSeen(eb).as('last_seen_at'),
        eb(shown, '+', deleted).as('posts'),
        eb
          .selectFrom('certificates as c')
          .select(count)
          .whereRef('c.user_id', '=', 'u.id')
          .$asScalar()
          .$notNull()
          .as('certificates'),
      ];
    })
    .where('u.id', '=', id)
    .where('u.erased_at', 'is', null)
    .executeTakeFirst();
}
