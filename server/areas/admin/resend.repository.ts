import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';

/** Addresses are counted and written to one task after another: no two may find that an address had no mail today. */
export async function lockResending(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort resending', 0))`.execute(db);
}

export type ResendRow = {
  id: string;
  upload_id: string | null;
  created_at: Date;
  finished_at: Date | null;
  total: number;
  done: number;
  sent: number;
};

const COLUMNS = sql`id, upload_id, created_at, finished_at, total, done, sent`;

export async function getRunning(db: Db, cohortId: string): Promise<ResendRow | undefined> {
  const { rows } = await sql<ResendRow>`
    select ${COLUMNS} from cohort_resends where cohort_id = ${cohortId} and finished_at is null limit 1`.execute(db);
  return rows[0];
}

export async function findResends(db: Db, cohortId: string, limit: number): Promise<ResendRow[]> {
  const { rows } = await sql<ResendRow>`
    select ${COLUMNS} from cohort_resends where cohort_id = ${cohortId}
    order by created_at desc limit ${limit}`.execute(db);
  return rows;
}

type Asked = { cohortId: string; uploadId: string | null };

const isAsked = ({ cohortId, uploadId }: Asked) =>
  uploadId === null ? sql`i.cohort_id = ${cohortId}` : sql`i.cohort_id = ${cohortId} and i.upload_id = ${uploadId}`;

export async function insertResend(db: Db, asked: Asked & { locale: Locale }): Promise<ResendRow> {
  const { rows } = await sql<ResendRow>`
    insert into cohort_resends (id, cohort_id, upload_id, locale, total)
    select ${newId()}, ${asked.cohortId}, ${asked.uploadId}, ${asked.locale}, count(*)
    from cohort_invitations i where ${isAsked(asked)}
    returning ${COLUMNS}`.execute(db);
  return rows[0]!; // an aggregate has one row, and so has its insert
}

export type ResendTask = Asked & { id: string; locale: Locale; partner: string; lastId: string | null };

/** Undefined when it has come to its end. */
export async function lockResend(db: Db, id: string): Promise<ResendTask | undefined> {
  const { rows } = await sql<ResendTask>`
    select r.id, r.cohort_id as "cohortId", r.upload_id as "uploadId", r.locale, c.primary_partner as partner,
      r.last_id as "lastId"
    from cohort_resends r join cohorts c on c.id = r.cohort_id
    where r.id = ${id} and r.finished_at is null for no key update of r`.execute(db);
  return rows[0];
}

export type InvitationToSend = {
  id: string;
  email: string;
  locale: Locale | null;
  user_id: string | null;
  is_inactive: boolean;
};

/** The next invitations of a task, locked. */
export async function lockInvitationsAfter(
  db: Db,
  task: Asked & { lastId: string | null },
  limit: number,
): Promise<InvitationToSend[]> {
  const { rows } = await sql<InvitationToSend>`
    with picked as materialized (
      select i.id, i.email from cohort_invitations i
      where ${isAsked(task)} and (${task.lastId}::uuid is null or i.id > ${task.lastId}::uuid)
      order by i.id limit ${limit} for update)
    select p.id, p.email, u.locale, u.id as user_id, coalesce(u.role = 'inactive', false) as is_inactive
    from picked p left join users u on u.email = p.email order by p.id`.execute(db);
  return rows;
}

export async function lockInvitation(
  db: Db,
  { cohortId, id }: { cohortId: string; id: string },
): Promise<InvitationToSend | undefined> {
  const { rows } = await sql<InvitationToSend>`
    select i.id, i.email, u.locale, u.id as user_id, coalesce(u.role = 'inactive', false) as is_inactive
    from cohort_invitations i left join users u on u.email = i.email
    where i.cohort_id = ${cohortId} and i.id = ${id} for update of i`.execute(db);
  return rows[0];
}

/** Which of them were made, or sent again, so lately that they are not yet due. */
export async function findLately(db: Db, ids: string[], hours: number): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from cohort_invitations where id = any(${ids}::uuid[])
      and coalesce(sent_again_at, created_at) > now() - make_interval(hours => ${hours})`.execute(db);
  return new Set(rows.map((row) => row.id));
}

export async function markSentAgain(db: Db, ids: string[]): Promise<void> {
  await sql`
    update cohort_invitations set sent_again_at = now(), times_sent_again = times_sent_again + 1
    where id = any(${ids}::uuid[])`.execute(db);
}

export async function updateResend(
  db: Db,
  id: string,
  { done, sent, lastId }: { done: number; sent: number; lastId: string },
): Promise<void> {
  await sql`
    update cohort_resends set done = done + ${done}, sent = sent + ${sent}, last_id = ${lastId}
    where id = ${id}`.execute(db);
}

export async function finishResend(db: Db, id: string): Promise<void> {
  await sql`update cohort_resends set finished_at = now(), total = done where id = ${id}`.execute(db);
}

export type InvitationMailRow = {
  id: string;
  email: string;
  name: string;
  created_at: Date;
  sent_at: Date;
  times_sent_again: number;
  is_due: boolean;
};

/** Oldest first; those whose address begins so, when told. */
export async function findInvitationMails(
  db: Db,
  asked: { cohortId: string; match: string; after: string | undefined; limit: number; hours: number },
): Promise<InvitationMailRow[]> {
  const pattern = `${asked.match.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<InvitationMailRow>`
    select i.id, i.email, coalesce(u.name, '') as name, i.created_at, coalesce(i.sent_again_at, i.created_at) as sent_at,
      i.times_sent_again,
      coalesce(i.sent_again_at, i.created_at) <= now() - make_interval(hours => ${asked.hours}) as is_due
    from cohort_invitations i left join users u on u.email = i.email
    where i.cohort_id = ${asked.cohortId} and ${asked.match === '' ? sql`true` : sql`i.email like ${pattern}`}
      and ${asked.after === undefined ? sql`true` : sql`i.id > ${asked.after}::uuid`}
    order by i.id limit ${asked.limit}`.execute(db);
  return rows;
}
