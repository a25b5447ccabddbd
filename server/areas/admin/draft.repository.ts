import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { Column, WrongRow } from './files/addresses.format.ts';

/** Whose file it is: nobody else's shows. */
export type DraftKey = { cohortId: string; draftId: string; userId: string };

export type DraftNumbers = { fresh: number; already: number; inactive: number };

/** So many in a statement, however busy the machine, end long before the time a statement has. */
const EMAILS_AT_ONCE = 5_000;

/** What an upload of these addresses would do, as of now. */
export async function countWould(db: Db, cohortId: string, emails: string[]): Promise<DraftNumbers> {
  const sum: DraftNumbers = { fresh: 0, already: 0, inactive: 0 };
  for (let first = 0; first < emails.length; first += EMAILS_AT_ONCE) {
    const some = emails.slice(first, first + EMAILS_AT_ONCE);
    const { rows } = await sql<{ already: number; inactive: number }>`
      select (count(*) filter (where is_out))::int as inactive,
        (count(*) filter (where not is_out and is_in))::int as already
      from (
        select coalesce(u.role = 'inactive', false) as is_out,
          case when u.email_proven_at is not null then m.user_id is not null else i.id is not null end as is_in
        from unnest(${some}::text[]) e (email)
        left join users u on u.email = e.email
        left join cohort_members m on m.cohort_id = ${cohortId} and m.user_id = u.id
        left join cohort_invitations i on i.cohort_id = ${cohortId} and i.email = e.email) would`.execute(db);
    const [{ already, inactive } = { already: 0, inactive: 0 }] = rows;
    sum.already += already;
    sum.inactive += inactive;
    sum.fresh += some.length - already - inactive;
  }
  return sum;
}

export type NewDraft = DraftNumbers & {
  cohortId: string;
  userId: string;
  name: string;
  content: Uint8Array;
  columns: Column[];
  chosen: number;
  rows: number;
  emails: string[];
  wrongRows: WrongRow[];
  wrong: number;
  repeated: number;
};

/** The newest file of a person for a cohort; the ones before go. */
export async function insertDraft(db: Db, draft: NewDraft): Promise<string> {
  const id = newId();
  await sql`
    delete from cohort_drafts where user_id = ${draft.userId} and cohort_id = ${draft.cohortId}`.execute(db);
  await sql`
    insert into cohort_drafts (id, cohort_id, user_id, name, content, columns, chosen, line_count, emails, wrong,
      wrong_count, repeated, fresh, already, inactive)
    values (${id}, ${draft.cohortId}, ${draft.userId}, ${draft.name}, ${Buffer.from(draft.content)},
      ${JSON.stringify(draft.columns)}, ${draft.chosen}, ${draft.rows}, ${draft.emails},
      ${JSON.stringify(draft.wrongRows)}, ${draft.wrong}, ${draft.repeated}, ${draft.fresh}, ${draft.already},
      ${draft.inactive})`.execute(db);
  return id;
}

export type DraftRow = DraftNumbers & {
  id: string;
  cohort_id: string;
  name: string;
  columns: Column[];
  chosen: number;
  line_count: number;
  addresses: number;
  wrong: WrongRow[];
  wrong_count: number;
  repeated: number;
  upload_id: string | null;
  created_at: Date;
};

const isOf = ({ cohortId, draftId, userId }: DraftKey, minutes: number) => sql`
  id = ${draftId} and cohort_id = ${cohortId} and user_id = ${userId}
  and created_at > now() - make_interval(mins => ${minutes})`;

export async function getDraft(db: Db, key: DraftKey, minutes: number): Promise<DraftRow | undefined> {
  const { rows } = await sql<DraftRow>`
    select id, cohort_id, name, columns, chosen, line_count, fresh + already + inactive as addresses, wrong, wrong_count,
      repeated, fresh, already, inactive, upload_id, created_at
    from cohort_drafts where ${isOf(key, minutes)}`.execute(db);
  return rows[0];
}

export async function getContent(db: Db, key: DraftKey, minutes: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from cohort_drafts where ${isOf(key, minutes)} and upload_id is null`.execute(db);
  return rows[0]?.content;
}

export async function updateDraft(
  db: Db,
  id: string,
  draft: Omit<NewDraft, 'cohortId' | 'userId' | 'name' | 'content'>,
): Promise<void> {
  await sql`
    update cohort_drafts set columns = ${JSON.stringify(draft.columns)}, chosen = ${draft.chosen},
      line_count = ${draft.rows}, emails = ${draft.emails}, wrong = ${JSON.stringify(draft.wrongRows)},
      wrong_count = ${draft.wrong}, repeated = ${draft.repeated}, fresh = ${draft.fresh}, already = ${draft.already},
      inactive = ${draft.inactive}
    where id = ${id} and upload_id is null`.execute(db);
}

/** Who confirms it at the same time waits, and finds the upload. */
export async function lockDraft(
  db: Db,
  key: DraftKey,
  minutes: number,
): Promise<{ emails: string[]; upload_id: string | null } | undefined> {
  const { rows } = await sql<{ emails: string[]; upload_id: string | null }>`
    select emails, upload_id from cohort_drafts where ${isOf(key, minutes)} for no key update`.execute(db);
  return rows[0];
}

/** What it held is in the upload from now on. */
export async function markConfirmed(db: Db, id: string, uploadId: string): Promise<void> {
  await sql`
    update cohort_drafts set upload_id = ${uploadId}, content = '', emails = '{}', wrong = '[]'
    where id = ${id}`.execute(db);
}
