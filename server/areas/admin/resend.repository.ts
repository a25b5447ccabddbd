import type { INVITATION_SORTS } from '@officium/contract/cohorts';
import type { Locale } from '@officium/contract/common';
import { type Expression, type QueryCreator, sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';

/** Serialises resending, so that two tasks cannot both find that an address got no mail today. */
export async function lockResending(db: Db): Promise<void> {
  await lockName(db, 'cohort resending');
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

const COLUMNS = ['id', 'upload_id', 'created_at', 'finished_at', 'total', 'done', 'sent'] as const;

export async function getRunning(db: Db, cohortId: string): Promise<ResendRow | undefined> {
  return await db
    .selectFrom('cohort_resends')
    .select(COLUMNS)
    .where('cohort_id', '=', cohortId)
    .where('finished_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
}

export async function findResends(db: Db, cohortId: string, limit: number): Promise<ResendRow[]> {
  return await db
    .selectFrom('cohort_resends')
    .select(COLUMNS)
    .where('cohort_id', '=', cohortId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}

type InvitationSelection = { cohortId: string; uploadId: string | null };

function invitationsOf(db: QueryCreator<DB>, { cohortId, uploadId }: InvitationSelection) {
  const all = db.selectFrom('cohort_invitations as i').where('i.cohort_id', '=', cohortId);
  return uploadId === null ? all : all.where('i.upload_id', '=', uploadId);
}

export async function insertResend(db: Db, query: InvitationSelection & { locale: Locale }): Promise<ResendRow> {
  return await db
    .insertInto('cohort_resends')
    .columns(['id', 'cohort_id', 'upload_id', 'locale', 'total'])
    .expression(
      invitationsOf(db, query).select([
        sql<string>`${newId()}::uuid`.as('id'),
        sql<string>`${query.cohortId}::uuid`.as('cohort_id'),
        sql<string | null>`${query.uploadId}::uuid`.as('upload_id'),
        sql<string>`${query.locale}::text`.as('locale'),
        sql<number>`count(*)`.as('total'),
      ]),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export type ResendTask = InvitationSelection & {
  id: string;
  locale: Locale;
  partner: string;
  support: string | null;
  words: string | null;
  lastId: string | null;
};

/** Undefined when the task is finished. */
export async function lockResend(db: Db, id: string): Promise<ResendTask | undefined> {
  return await db
    .selectFrom('cohort_resends as r')
    .innerJoin('cohorts as c', 'c.id', 'r.cohort_id')
    .select([
      'r.id',
      'r.cohort_id as cohortId',
      'r.upload_id as uploadId',
      'r.locale',
      'c.primary_partner as partner',
      'c.support_contact as support',
      'c.invitation_words as words',
      'r.last_id as lastId',
    ])
    .$narrowType<{ locale: Locale }>()
    .where('r.id', '=', id)
    .where('r.finished_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .forNoKeyUpdate('r')
    .executeTakeFirst();
}

export type InvitationToSend = {
  id: string;
  email: string;
  locale: Locale | null;
  user_id: string | null;
  is_inactive: boolean;
};

const isInactive = (role: Expression<string | null>) => sql<boolean>`coalesce(${role} = 'inactive', false)`;

/** Locks the next invitations of a task. */
export async function lockInvitationsAfter(
  db: Db,
  task: InvitationSelection & { lastId: string | null },
  limit: number,
): Promise<InvitationToSend[]> {
  return await db
    .with(
      (cte) => cte('picked').materialized(),
      (from) => {
        const all = invitationsOf(from, task).select(['i.id', 'i.email']);
        const next = task.lastId === null ? all : all.where('i.id', '>', task.lastId);
        return next.orderBy('i.id').limit(limit).forUpdate();
      },
    )
    .selectFrom('picked as p')
    .leftJoin('users as u', 'u.email', 'p.email')
    .select((eb) => ['p.id', 'p.email', 'u.locale', 'u.id as user_id', isInactive(eb.ref('u.role')).as('is_inactive')])
    .$narrowType<{ locale: Locale | null }>()
    .orderBy('p.id')
    .execute();
}

export async function lockInvitation(
  db: Db,
  { cohortId, id }: { cohortId: string; id: string },
): Promise<InvitationToSend | undefined> {
  return await db
    .selectFrom('cohort_invitations as i')
    .leftJoin('users as u', 'u.email', 'i.email')
    .select((eb) => ['i.id', 'i.email', 'u.locale', 'u.id as user_id', isInactive(eb.ref('u.role')).as('is_inactive')])
    .$narrowType<{ locale: Locale | null }>()
    .where('i.cohort_id', '=', cohortId)
    .where('i.id', '=', id)
    .forUpdate('i')
    .executeTakeFirst();
}

const hoursAgo = (hours: number) => sql<Date>`now() - make_interval(hours => ${hours})`;

/** Those sent too recently to be due again. */
export async function findNotDue(db: Db, ids: string[], hours: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('cohort_invitations')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where((eb) => eb(eb.fn.coalesce('sent_again_at', 'created_at'), '>', hoursAgo(hours)))
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function markSentAgain(db: Db, ids: string[]): Promise<void> {
  await db
    .updateTable('cohort_invitations')
    .set((eb) => ({ sent_again_at: sql<Date>`now()`, times_sent_again: eb('times_sent_again', '+', 1) }))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export async function updateResend(
  db: Db,
  id: string,
  { done, sent, lastId }: { done: number; sent: number; lastId: string },
): Promise<void> {
  await db
    .updateTable('cohort_resends')
    .set((eb) => ({ done: eb('done', '+', done), sent: eb('sent', '+', sent), last_id: lastId }))
    .where('id', '=', id)
    .execute();
}

export async function finishResend(db: Db, id: string): Promise<void> {
  await db
    .updateTable('cohort_resends')
    .set((eb) => ({ finished_at: sql<Date>`now()`, total: eb.ref('done') }))
    .where('id', '=', id)
    .execute();
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

/** Invitations, oldest first, optionally by the start of the address. */
export async function findInvitationMails(
  db: Db,
  query: {
    cohortId: string;
    match: string;
    after: string | undefined;
    sort: (typeof INVITATION_SORTS)[number];
    limit: number;
    hours: number;
  },
): Promise<InvitationMailRow[]> {
  const pattern = `${query.match.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  let invitations = db
    .selectFrom('cohort_invitations as i')
    .leftJoin('users as u', 'u.email', 'i.email')
    .where('i.cohort_id', '=', query.cohortId);
  if (query.match !== '') invitations = invitations.where('i.email', 'like', pattern);
  const direction = query.sort.startsWith('-') ? 'desc' : 'asc';
  if (query.after !== undefined)
    invitations = invitations.where(isBeyond(query.sort, direction === 'desc' ? '<' : '>', query.after));
  return await invitations
    .select((eb) => {
      const sentAt = eb.fn.coalesce('i.sent_again_at', 'i.created_at');
      return [
        'i.id',
        'i.email',
        sql<string>`coalesce(${eb.ref('u.name')}, '')`.as('name'),
        'i.created_at',
        sentAt.as('sent_at'),
        'i.times_sent_again',
        eb(sentAt, '<=', hoursAgo(query.hours)).$castTo<boolean>().as('is_due'),
      ];
    })
    .orderBy(sortKey(query.sort, 'i'), direction)
    .orderBy('i.id', direction)
    .limit(query.limit)
    .execute();
}

/** Sort keys of invitations. The order of ids is the order of creation. */
function sortKey(sort: string, table: string) {
  if (sort.endsWith('email')) return sql<string>`${sql.ref(`${table}.email`)}`;
  if (sort.endsWith('sentAt'))
    return sql<Date>`coalesce(${sql.ref(`${table}.sent_again_at`)}, ${sql.ref(`${table}.created_at`)})`;
  return sql<string>`${sql.ref(`${table}.id`)}`;
}

/** Condition: an invitation `i` comes after another one in this order. */
function isBeyond(sort: string, operator: '<' | '>', after: string) {
  if (sort.endsWith('createdAt')) return sql<boolean>`i.id ${sql.raw(operator)} ${after}::uuid`;
  return sql<boolean>`(${sortKey(sort, 'i')}, i.id) ${sql.raw(operator)} (
    select ${sortKey(sort, 'seen')}, seen.id from cohort_invitations as seen where seen.id = ${after}::uuid)`;
}
