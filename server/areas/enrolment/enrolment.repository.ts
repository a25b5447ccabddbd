import { type RawBuilder, sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { BulkEnrolmentRow, EnrolmentStatus, EnrolmentType, EnrolmentPlace } from './enrolment.rows.ts';

const COLUMNS = sql`b.id, b.email, b.type, b.slug, enrolment_status(b.status, b.expires_on) as status, b.expires_on,
  b.metadata, b.user_defaults, b.cohort_ids, b.created_at, b.updated_at`;

const journeyOf = (place: EnrolmentPlace) => place.metadata.journeySlug ?? '';

/** Which of the places' courses, journeys, communities and cohorts there are; a journey as `course/journey`. */
export async function findTargets(
  db: Db,
  { slugs, cohortIds }: { slugs: string[]; cohortIds: string[] },
): Promise<{ courses: string[]; journeys: string[]; communities: string[]; cohorts: string[] }> {
  const { rows } = await sql<{ courses: string[]; journeys: string[]; communities: string[]; cohorts: string[] }>`
    select
      array(select c.slug from courses c join entries x on x.id = c.id
        where c.slug = any(${slugs}::text[]) and x.status = 'published') as courses,
      array(select c.slug || '/' || j.slug from courses c join journeys j on j.course_id = c.id
        where c.slug = any(${slugs}::text[]) and ${IS_PUBLISHED_JOURNEY}) as journeys,
      array(select c.slug from communities c join entries x on x.id = c.entry_id
        where c.slug = any(${slugs}::text[]) and x.status = 'published') as communities,
      array(select id::text from cohorts where id = any(${cohortIds}::uuid[])) as cohorts`.execute(db);
  return rows[0] ?? { courses: [], journeys: [], communities: [], cohorts: [] };
}

export async function getRecord(db: Db, id: string): Promise<BulkEnrolmentRow | undefined> {
  const { rows } = await sql<BulkEnrolmentRow>`select ${COLUMNS} from bulk_enrolments b where b.id = ${id}`.execute(db);
  return rows[0];
}

/** In the order they came to be. */
export async function findByIds(db: Db, ids: string[]): Promise<BulkEnrolmentRow[]> {
  const { rows } = await sql<BulkEnrolmentRow>`
    select ${COLUMNS} from bulk_enrolments b where b.id = any(${ids}::uuid[]) order by b.id`.execute(db);
  return rows;
}

export async function lockRecord(db: Db, id: string): Promise<BulkEnrolmentRow | undefined> {
  const { rows } = await sql<BulkEnrolmentRow>`
    select ${COLUMNS} from bulk_enrolments b where b.id = ${id} for update`.execute(db);
  return rows[0];
}

type Asked = { email?: string; status?: EnrolmentStatus; type?: EnrolmentType; limit: number; offset: number };

/** Of which the clock has decided something else than is stored: few, each found in an index. */
const DIFFERS = [
  sql`b.expires_on is not null and b.status <> 'expired' and b.expires_on <= now()`,
  sql`b.expires_on is not null and b.status = 'expired' and b.expires_on > now()`,
];

/** Those that are stored with the status, from the newest, and those that have it by the clock. */
function withStatus(status: EnrolmentStatus, where: RawBuilder<unknown>, most: number): RawBuilder<unknown> {
  const holds = sql`enrolment_status(b.status, b.expires_on) = ${status} and ${where}`;
  const found = [sql`b.status = ${status}`, ...DIFFERS.map((differs) => sql`b.status <> ${status} and ${differs}`)].map(
    (stored) => sql`(select b.id from bulk_enrolments b where ${stored} and ${holds} order by b.id desc limit ${most})`,
  );
  return sql.join(found, sql` union all `);
}

/** How many have the status now: those stored with it, with what the clock adds and takes away. */
function countRecords({ status, type }: Asked): RawBuilder<unknown> {
  const isOfType = type === undefined ? sql`true` : sql`b.type = ${type}`;
  const kept = sql`(select coalesce(sum(t.n), 0)::int from tallied t where t.thing = 'bulk_enrolments'
    and ${type === undefined ? sql`true` : sql`split_part(t.key, ' ', 1) = ${type}`}
    and ${status === undefined ? sql`true` : sql`split_part(t.key, ' ', 2) = ${status}`})`;
  if (status === undefined) return kept;
  const moved = DIFFERS.map(
    (differs) => sql`(select (count(*) filter (where enrolment_status(b.status, b.expires_on) = ${status})
        - count(*) filter (where b.status = ${status}))::int
      from bulk_enrolments b where ${differs} and ${isOfType})`,
  );
  return sql.join([kept, ...moved], sql` + `);
}

/** Newest first, and how many there are. */
export async function findRecords(db: Db, asked: Asked): Promise<{ rows: BulkEnrolmentRow[]; total: number }> {
  const { email, status, type, limit, offset } = asked;
  const where = sql.join(
    [
      sql`true`,
      ...(email === undefined ? [] : [sql`b.email = ${email}`]),
      ...(type === undefined ? [] : [sql`b.type = ${type}`]),
    ],
    sql` and `,
  );
  const isStatus = status === undefined ? sql`true` : sql`enrolment_status(b.status, b.expires_on) = ${status}`;
  const found =
    email === undefined && status !== undefined
      ? withStatus(status, where, limit + offset)
      : sql`select b.id from bulk_enrolments b where ${where} and ${isStatus}`;
  const { rows } = await sql<BulkEnrolmentRow>`
    select ${COLUMNS} from bulk_enrolments b
    where b.id in (select f.id from (${found}) f order by f.id desc limit ${limit} offset ${offset})
    order by b.id desc`.execute(db);
  const total = await sql<{ total: number }>`select ${
    email === undefined
      ? countRecords(asked)
      : sql`(select count(*)::int from bulk_enrolments b where ${where} and ${isStatus})`
  } as total`.execute(db);
  return { rows, total: total.rows[0]?.total ?? 0 };
}

/** The new record's id; undefined when the address has one of that place. */
export async function insertRecord(
  db: Db,
  place: EnrolmentPlace,
  status: EnrolmentStatus,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into bulk_enrolments (id, email, type, slug, journey_slug, status, expires_on, metadata, user_defaults, cohort_ids)
    values (${newId()}, ${place.email}, ${place.type}, ${place.slug}, ${journeyOf(place)}, ${status},
      ${status === 'expired' ? sql`least(${place.expiresOn}::timestamptz, now())` : place.expiresOn},
      ${JSON.stringify(place.metadata)}, ${JSON.stringify(place.userDefaults)}, ${place.cohortIds})
    on conflict do nothing
    returning id`.execute(db);
  return rows[0]?.id;
}

/**
 * Asks for a place again or for the first time; one that has ended is to be given anew. The answer's id is the record's.
 * `isGiven`: its owner has it, so that a change must be followed there.
 */
export async function upsertRecord(
  db: Db,
  place: EnrolmentPlace,
  { keepsLaterEnd }: { keepsLaterEnd: boolean },
): Promise<{ id: string; isGiven: boolean }> {
  await lockPlacesOf(db, place.email);
  // What has ended ends before it begins again.
  if (place.type === 'communities') await endMemberships(db, place.email);
  const { rows } = await sql<{ id: string; isGiven: boolean }>`
    insert into bulk_enrolments as b (id, email, type, slug, journey_slug, expires_on, metadata, user_defaults, cohort_ids)
    values (${newId()}, ${place.email}, ${place.type}, ${place.slug}, ${journeyOf(place)}, ${place.expiresOn},
      ${JSON.stringify(place.metadata)}, ${JSON.stringify(place.userDefaults)}, ${place.cohortIds})
    on conflict (email, type, slug, journey_slug) do update set
      expires_on = case
        when ${keepsLaterEnd} and enrolment_status(b.status, b.expires_on) = 'enrolled' then
          case when b.expires_on is null or excluded.expires_on is null then null
          else greatest(b.expires_on, excluded.expires_on) end
        else excluded.expires_on end,
      metadata = excluded.metadata, user_defaults = excluded.user_defaults,
      cohort_ids = excluded.cohort_ids, updated_at = now(),
      status = case when enrolment_status(b.status, b.expires_on) = 'expired' then 'created' else b.status end,
      granted_at = case
        when enrolment_status(b.status, b.expires_on) = 'expired' then null
        -- Who was let into a community and left is let in again.
        when b.type = 'communities' and not exists (
          select from community_members m join users u on u.id = m.user_id join communities c on c.id = m.community_id
          where u.email = b.email and c.slug = b.slug and m.status = 'active') then null
        else b.granted_at end
    returning id, granted_at is not null as "isGiven"`.execute(db);
  return rows[0]!; // an upsert returns its row
}

/** The end of what is expired is now at the latest. */
export async function updateRecord(
  db: Db,
  id: string,
  changes: Pick<EnrolmentPlace, 'metadata' | 'userDefaults' | 'cohortIds'> & {
    status: EnrolmentStatus;
    expiresOn: Date | null;
  },
): Promise<void> {
  const { status, expiresOn } = changes;
  await sql`
    update bulk_enrolments set status = ${status}, metadata = ${JSON.stringify(changes.metadata)},
      user_defaults = ${JSON.stringify(changes.userDefaults)}, cohort_ids = ${changes.cohortIds}, updated_at = now(),
      expires_on = case when ${status} = 'expired' then least(${expiresOn}::timestamptz, now()) else ${expiresOn}::timestamptz end
    where id = ${id}`.execute(db);
}

export async function isInFuture(db: Db, moment: Date): Promise<boolean> {
  const { rows } = await sql<{ future: boolean }>`select ${moment}::timestamptz > now() as future`.execute(db);
  return rows[0]?.future ?? false;
}

/**
 * Beside one another, but not while an address is being proven or erased: what waits for it is seen there, or the account
 * is seen here. Before every other lock.
 */
export async function lockClaims(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('cohort invitations', 0))`.execute(db);
}

/**
 * One address is enrolled and withdrawn one after another: a withdrawal that looked for records before an enrolment was
 * committed, and for places after it, would leave the record without its place.
 */
async function lockPlacesOf(db: Db, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`enrolments ${email}`}, 0))`.execute(db);
}

/** Gives the place, or lets it wait; true when it waits since now. See `settle_enrolment` in the database. */
export async function settle(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select settle_enrolment(${id}) as waits`.execute(db);
  return rows[0]?.waits ?? false;
}

/** Gives the place that was given the end of its record, and ends a membership whose end that is. */
export async function followRecord(db: Db, id: string): Promise<void> {
  await sql`select follow_enrolment(id), end_memberships(email) from bulk_enrolments where id = ${id}`.execute(db);
}

/** Ends all places in a course, waiting and taken; how many there were. */
export async function withdraw(db: Db, { email, courseSlug }: { email: string; courseSlug: string }): Promise<number> {
  await lockPlacesOf(db, email);
  const { rows } = await sql<{ withdrawn: number }>`
    select withdraw_enrolments(${email}, ${courseSlug}) as withdrawn`.execute(db);
  return rows[0]?.withdrawn ?? 0;
}

/** Is there an account or a record of the address? */
export async function isAddressKnown(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from users where email = ${email})
      or exists (select from bulk_enrolments where email = ${email}) as known`.execute(db);
  return rows[0]?.known ?? false;
}

/** Mails to one address are counted and written one after another. `db` writes to no other. */
export async function lockMailsTo(db: Db, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails ${email}`}, 0))`.execute(db);
}

/** How many such mails were written to the address in the last so many seconds. */
export async function countMails(
  db: Db,
  { email, kind, seconds }: { email: string; kind: string; seconds: number },
): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    select count(*)::int as mails from mails
    where recipient = ${email} and kind = ${kind} and created_at > now() - make_interval(secs => ${seconds}::float8)`.execute(
    db,
  );
  return rows[0]?.mails ?? 0;
}

/** Ends the memberships that were given to the address until a moment that has passed. */
export async function endMemberships(db: Db, email: string): Promise<void> {
  await sql`select end_memberships(${email})`.execute(db);
}

/** Stores what the clock has decided already, and ends the memberships it was decided of. `db` is a transaction. */
export async function expireRecords(db: Db): Promise<void> {
  // Alone, so that nobody who gives a place holds what this waits for.
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort invitations', 0))`.execute(db);
  await sql`select end_memberships(null)`.execute(db);
  await sql`
    update bulk_enrolments set status = 'expired', updated_at = now()
    where status <> 'expired' and expires_on <= now()`.execute(db);
}
