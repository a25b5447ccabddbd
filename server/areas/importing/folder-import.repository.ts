import type { IMPORT_STATES, IMPORT_STEPS } from '@officium/contract/content-folder';
import type { LocalizedText } from '@officium/contract/common';
import type { PieceKind } from '@officium/contract/authoring';
import { sql } from 'kysely';
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

const SHORT = sql`
  i.id, i.name, i.bytes, i.files, i.state, i.summary, u.name as by,
  u.erased_at is not null as "isPersonDeleted", i.created_at, i.finished_at`;

export async function insertImport(
  db: Db,
  row: { id: string; userId: string; name: string; bytes: number; files: number },
): Promise<void> {
  await sql`
    insert into content_imports (id, user_id, name, bytes, files)
    values (${row.id}, ${row.userId}, ${row.name}, ${row.bytes}, ${row.files})`.execute(db);
}

export async function findImports(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ShortImportRow[]; total: number }> {
  const { rows } = await sql<ShortImportRow>`
    select ${SHORT} from content_imports i left join users u on u.id = i.user_id
    order by i.id desc limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from content_imports`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function getImport(db: Db, id: string): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    select ${SHORT}, i.step, i.step_done, i.step_total, i.items, i.faults, i.fault_count, i.warnings, i.warning_count
    from content_imports i left join users u on u.id = i.user_id
    where i.id = ${id}`.execute(db);
  return rows[0];
}

/** From checked to importing; false when it was begun already, or its time is over. */
export async function beginImport(db: Db, { id, hours }: { id: string; hours: number }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update content_imports set state = 'importing', step = 'waiting', step_done = 0, step_total = 0, begun_at = now()
    where id = ${id} and state = 'checked' and created_at > now() - make_interval(hours => ${hours})`.execute(db);
  return numAffectedRows === 1n;
}

/** Takes the right to work on an import until the transaction ends; false when another worker has it. */
export async function tryLockImport(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`content import ${id}`}, 0)) as locked`.execute(db);
  return rows[0]?.locked ?? false;
}

export async function updateStep(
  db: Db,
  id: string,
  { step, done, total }: { step: ImportStep; done: number; total: number },
): Promise<void> {
  await sql`
    update content_imports set step = ${step}, step_done = ${done}, step_total = ${total}
    where id = ${id} and state in ('checking', 'importing')`.execute(db);
}

export type ImportEnd = {
  from: 'checking' | 'importing';
  to: 'checked' | 'refused' | 'done' | 'failed';
  summary: ImportSummary | null;
  items: ImportItem[];
  faults: FolderFinding[];
  warnings: FolderFinding[];
};

/** How a check or an import ended; of long lists the first `lines` are kept. False when it had ended already. */
export async function endImport(db: Db, id: string, end: ImportEnd, lines: number): Promise<boolean> {
  const first = <T>(list: T[]) => JSON.stringify(list.slice(0, lines));
  const { numAffectedRows } = await sql`
    update content_imports set state = ${end.to}, summary = ${end.summary && JSON.stringify(end.summary)},
      items = ${first(end.items)}, faults = ${first(end.faults)}, fault_count = ${end.faults.length},
      warnings = ${first(end.warnings)}, warning_count = ${end.warnings.length},
      finished_at = case when ${end.to} = 'checked' then null else now() end
    where id = ${id} and state = ${end.from}`.execute(db);
  return numAffectedRows === 1n;
}

/** Kind and title of what rows of the catalogue are about, by their keys. */
export async function findTitles(
  db: Db,
  keys: string[],
): Promise<{ kind: PieceKind; key: string; title: LocalizedText }[]> {
  const { rows } = await sql<{ kind: PieceKind; key: string; title: LocalizedText }>`
    select 'academy' as kind, id as key, title from academies where id = any(${keys})
    union all select 'course', id, title from courses where id = any(${keys})
    union all select 'journey', key::text, title from journeys where key::text = any(${keys})
    union all select 'lesson', key::text, title from lessons where key::text = any(${keys})
    union all select 'microcourse', id, title from microcourses where id = any(${keys})
    union all select 'community', entry_id, title from communities where entry_id = any(${keys})`.execute(db);
  return rows;
}

/** Ends what nobody began in time and what no worker ended; answers whose ZIPs can go. */
export async function expireImports(db: Db, hours: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update content_imports set state = case state when 'checked' then 'expired' else 'failed' end, finished_at = now()
    where state = 'checked' and created_at < now() - make_interval(hours => ${hours})
      or state = 'checking' and created_at < now() - interval '6 hours'
      or state = 'importing' and begun_at < now() - interval '6 hours'
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function deleteImports(db: Db, days: number): Promise<void> {
  await sql`delete from content_imports where created_at < now() - make_interval(days => ${days})`.execute(db);
}
