import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { Column, WrongRow } from './files/addresses.format.ts';

/** Identifies a draft. Only the administrator who uploaded it can see it. */
export type DraftKey = { cohortId: string; draftId: string; userId: string };

/** `fresh`: new addresses; `added`: those of them with an account. */
export type DraftNumbers = { fresh: number; added: number; already: number; inactive: number };

/** Keeps each statement well below the statement timeout. */
const EMAILS_AT_ONCE = 5_000;

/** Counts what an upload of these addresses would do now. */
export async function countPreview(db: Db, cohortId: string, emails: string[]): Promise<DraftNumbers> {
  const sum: DraftNumbers = { fresh: 0, added: 0, already: 0, inactive: 0 };
  for (let first = 0; first < emails.length; first += EMAILS_AT_ONCE) {
    const some = emails.slice(first, first + EMAILS_AT_ONCE);
    const addresses = sql<{ email: string }>`unnest(${some}::text[])`.as<'e'>(sql`e (email)`);
    const { added, already, inactive } = await db
      .selectFrom((eb) =>
        eb
          .selectFrom(addresses)
          .leftJoin('users as u', 'u.email', 'e.email')
          .leftJoin('cohort_members as m', (join) =>
            join.on('m.cohort_id', '=', cohortId).onRef('m.user_id', '=', 'u.id'),
          )
          .leftJoin('cohort_invitations as i', (join) =>
            join.on('i.cohort_id', '=', cohortId).onRef('i.email', '=', 'e.email'),
          )
          .select((of) => [
            sql<boolean>`coalesce(${of.ref('u.role')} = 'inactive', false)`.as('is_out'),
            of('u.email_proven_at', 'is not', null).as('is_proven'),
            of
              .case()
              .when('u.email_proven_at', 'is not', null)
              .then(of('m.user_id', 'is not', null))
              .else(of('i.id', 'is not', null))
              .end()
              .as('is_in'),
          ])
          .as('preview'),
      )
      .select((eb) => {
        const [isOut, isIn, isProven] = [
          eb.ref('preview.is_out'),
          eb.ref('preview.is_in'),
          eb.ref('preview.is_proven'),
        ];
        return [
          sql<number>`(count(*) filter (where ${isOut}))::int`.as('inactive'),
          sql<number>`(count(*) filter (where not ${isOut} and ${isIn}))::int`.as('already'),
          sql<number>`(count(*) filter (where not ${isOut} and not ${isIn} and ${isProven}))::int`.as('added'),
        ];
      })
      .executeTakeFirstOrThrow();
    sum.added += added;
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

type ParsedDraft = Omit<NewDraft, 'cohortId' | 'userId' | 'name' | 'content'>;

function toColumns(draft: ParsedDraft) {
  return {
    columns: JSON.stringify(draft.columns),
    chosen: draft.chosen,
    line_count: draft.rows,
    emails: draft.emails,
    wrong: JSON.stringify(draft.wrongRows),
    wrong_count: draft.wrong,
    repeated: draft.repeated,
    fresh: draft.fresh,
    added: draft.added,
    already: draft.already,
    inactive: draft.inactive,
  };
}

/** Stores a draft and deletes the administrator's earlier ones for the cohort. */
export async function insertDraft(db: Db, draft: NewDraft): Promise<string> {
  const id = newId();
  await db
    .deleteFrom('cohort_drafts')
    .where('user_id', '=', draft.userId)
    .where('cohort_id', '=', draft.cohortId)
    .execute();
  await db
    .insertInto('cohort_drafts')
    .values({
      id,
      cohort_id: draft.cohortId,
      user_id: draft.userId,
      name: draft.name,
      content: Buffer.from(draft.content),
      ...toColumns(draft),
    })
    .execute();
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

function liveDraft(db: Db, { cohortId, draftId, userId }: DraftKey, minutes: number) {
  return db
    .selectFrom('cohort_drafts')
    .where('id', '=', draftId)
    .where('cohort_id', '=', cohortId)
    .where('user_id', '=', userId)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`);
}

export async function getDraft(db: Db, key: DraftKey, minutes: number): Promise<DraftRow | undefined> {
  return await liveDraft(db, key, minutes)
    .select((eb) => [
      'id',
      'cohort_id',
      'name',
      'columns',
      'chosen',
      'line_count',
      eb(eb('fresh', '+', eb.ref('already')), '+', eb.ref('inactive')).as('addresses'),
      'wrong',
      'wrong_count',
      'repeated',
      'fresh',
      'added',
      'already',
      'inactive',
      'upload_id',
      'created_at',
    ])
    .$castTo<DraftRow>()
    .executeTakeFirst();
}

export async function getContent(db: Db, key: DraftKey, minutes: number): Promise<Buffer | undefined> {
  const row = await liveDraft(db, key, minutes).select('content').where('upload_id', 'is', null).executeTakeFirst();
  return row?.content;
}

export async function updateDraft(db: Db, id: string, draft: ParsedDraft): Promise<void> {
  await db
    .updateTable('cohort_drafts')
    .set(toColumns(draft))
    .where('id', '=', id)
    .where('upload_id', 'is', null)
    .execute();
}

/** Locks the draft, so that a concurrent confirmation waits and finds the upload. */
export async function lockDraft(
  db: Db,
  key: DraftKey,
  minutes: number,
): Promise<{ emails: string[]; upload_id: string | null } | undefined> {
  return await liveDraft(db, key, minutes).select(['emails', 'upload_id']).forNoKeyUpdate().executeTakeFirst();
}

/** Links the upload and clears the draft's content. */
export async function markConfirmed(db: Db, id: string, uploadId: string): Promise<void> {
  await db
    .updateTable('cohort_drafts')
    .set({ upload_id: uploadId, content: Buffer.alloc(0), emails: [], wrong: '[]' })
    .where('id', '=', id)
    .execute();
}
