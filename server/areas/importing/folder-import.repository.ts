import type { IMPORT_STATES, IMPORT_STEPS } from '@officium/contract/content-folder';
import type { LocalizedText } from '@officium/contract/common';
import type { PieceKind } from '@officium/contract/authoring';
import { sql } from 'kysely';
import { tryLockName } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';
import type { FolderFinding } from './folder.format.ts';
import type { ImportSummary, ItemOutcome } from './import-tally.policy.ts';

export type ImportState = (typeof IMPORT_STATES)[number];
export type ImportStep = (typeof IMPORT_STEPS)[number];
export type ImportItem = {
  kind: PieceKind;
  key: string;
  title: LocalizedText;
  outcome: Exclude<ItemOutcome, 'unchanged'>;
};

export type ShortImportRow = {
  id: string;
  name: string;
  bytes: number;
  files: number;
  state: ImportState;
  summary: ImportSummary | null;
  by: string | null;
  isPersonDeleted: boolean;
  created_at: Date;
  finished_at: Date | null;
};
export type ImportRow = ShortImportRow & {
  step: ImportStep;
  step_done: number;
  step_total: number;
  items: ImportItem[];
  faults: FolderFinding[];
  fault_count: number;
  warnings: FolderFinding[];
  warning_count: number;
};

const selectShort = (db: Db) =>
  db
    .selectFrom('content_imports as i')
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .select((eb) => [
      'i.id',
      'i.name',
      'i.bytes',
      'i.files',
      'i.state',
      'i.summary',
      'u.name as by',
      eb('u.erased_at', 'is not', null).$castTo<boolean>().as('isPersonDeleted'),
      'i.created_at',
      'i.finished_at',
    ])
    .$narrowType<{ state: ImportState; summary: ImportSummary | null }>();

export async function insertImport(
  db: Db,
  row: { id: string; userId: string; name: string; bytes: number; files: number },
): Promise<void> {
  const { userId, ...values } = row;
  await db
    .insertInto('content_imports')
    .values({ ...values, user_id: userId })
    .execute();
}

export async function findImports(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ShortImportRow[]; total: number }> {
  const rows = await selectShort(db).orderBy('i.id', 'desc').limit(limit).offset(offset).execute();
  const { total } = await db
    .selectFrom('content_imports')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function getImport(db: Db, id: string): Promise<ImportRow | undefined> {
  return await selectShort(db)
    .select([
      'i.step',
      'i.step_done',
      'i.step_total',
      'i.items',
      'i.faults',
      'i.fault_count',
      'i.warnings',
      'i.warning_count',
    ])
    .where('i.id', '=', id)
    .$narrowType<{ step: ImportStep; items: ImportItem[]; faults: FolderFinding[]; warnings: FolderFinding[] }>()
    .executeTakeFirst();
}

/** Moves an import from checked to importing; false when it has already begun or expired. */
export async function beginImport(db: Db, { id, hours }: { id: string; hours: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('content_imports')
    .set({ state: 'importing', step: 'waiting', step_done: 0, step_total: 0, begun_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${hours})`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Locks an import for this worker until the end of the transaction; false when another worker holds the lock. */
export async function tryLockImport(db: Db, id: string): Promise<boolean> {
  return await tryLockName(db, `content import ${id}`);
}

export async function updateStep(
  db: Db,
  id: string,
  { step, done, total }: { step: ImportStep; done: number; total: number },
): Promise<void> {
  await db
    .updateTable('content_imports')
    .set({ step, step_done: done, step_total: total })
    .where('id', '=', id)
    .where('state', 'in', ['checking', 'importing'])
    .execute();
}

export type ImportEnd = {
  from: 'checking' | 'importing';
  to: 'checked' | 'refused' | 'done' | 'failed';
  summary: ImportSummary | null;
  items: ImportItem[];
  faults: FolderFinding[];
  warnings: FolderFinding[];
};

/** Stores the final state of a check or import, with lists cut to `lines` items. False when it has already ended. */
export async function endImport(db: Db, id: string, end: ImportEnd, lines: number): Promise<boolean> {
  const first = <T>(list: T[]) => JSON.stringify(list.slice(0, lines));
  const { numUpdatedRows } = await db
    .updateTable('content_imports')
    .set({
      state: end.to,
      summary: end.summary && JSON.stringify(end.summary),
      items: first(end.items),
      faults: first(end.faults),
      fault_count: end.faults.length,
      warnings: first(end.warnings),
      warning_count: end.warnings.length,
      finished_at: end.to === 'checked' ? null : sql`now()`,
    })
    .where('id', '=', id)
    .where('state', '=', end.from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Returns the kind and title of catalogue rows by key. */
export async function findTitles(
  db: Db,
  keys: string[],
): Promise<{ kind: PieceKind; key: string; title: LocalizedText }[]> {
  const ofId = (table: 'academies' | 'courses' | 'microcourses', kind: PieceKind) =>
    db
      .selectFrom(table)
      .select([sql<string>`${sql.lit(kind)}`.as('kind'), 'id as key', 'title'])
      .where('id', '=', ({ fn, val }) => fn.any(val(keys)));
  const ofKey = (table: 'journeys' | 'lessons', kind: PieceKind) =>
    db
      .selectFrom(table)
      .select((eb) => [sql<string>`${sql.lit(kind)}`.as('kind'), eb.cast<string>('key', 'text').as('key'), 'title'])
      .where((eb) => eb(eb.cast<string>('key', 'text'), '=', eb.fn.any(eb.val(keys))));
  return await ofId('academies', 'academy')
    .unionAll(ofId('courses', 'course'))
    .unionAll(ofKey('journeys', 'journey'))
    .unionAll(ofKey('lessons', 'lesson'))
    .unionAll(ofId('microcourses', 'microcourse'))
    .unionAll(
      db
        .selectFrom('editorials')
        .select(['kind', 'id as key', 'title'])
        .where('id', '=', ({ fn, val }) => fn.any(val(keys))),
    )
    .unionAll(
      db
        .selectFrom('communities')
        .select([sql<string>`'community'`.as('kind'), 'entry_id as key', 'title'])
        .where('entry_id', '=', ({ fn, val }) => fn.any(val(keys))),
    )
    .$narrowType<{ kind: PieceKind; title: LocalizedText }>()
    .execute();
}

const STUCK_AFTER_HOURS = 6;

/** Expires checked imports and fails stuck ones. Returns the ids whose ZIPs can be deleted. */
export async function expireImports(db: Db, hours: number): Promise<string[]> {
  const hoursAgo = (count: number) => sql<Date>`now() - make_interval(hours => ${count})`;
  const rows = await db
    .updateTable('content_imports')
    .set((eb) => ({
      state: eb.case('state').when('checked').then('expired').else('failed').end(),
      finished_at: sql`now()`,
    }))
    .where((eb) =>
      eb.or([
        eb('state', '=', 'checked').and('created_at', '<', hoursAgo(hours)),
        eb('state', '=', 'checking').and('created_at', '<', hoursAgo(STUCK_AFTER_HOURS)),
        eb('state', '=', 'importing').and('begun_at', '<', hoursAgo(STUCK_AFTER_HOURS)),
      ]),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteImports(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('content_imports')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute();
}
