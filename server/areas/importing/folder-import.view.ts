import { IMPORT_HOURS, type listContentImports, type ContentImport } from '@officium/contract/content-folder';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { ImportRow, ShortImportRow } from './folder-import.repository.ts';

export function toShortImport(row: ShortImportRow): ReplyOf<typeof listContentImports>['imports'][number] {
  const { id, name, bytes, files, state, summary, by } = row;
  const [createdAt, finishedAt] = [row.created_at.toISOString(), row.finished_at?.toISOString() ?? null];
  const isPersonDeleted = row.isPersonDeleted || undefined;
  return { id, name, bytes, files, state, summary, by, isPersonDeleted, createdAt, finishedAt };
}

export function toImport(row: ImportRow): ContentImport {
  return {
    ...toShortImport(row),
    progress: { step: row.step, done: row.step_done, total: row.step_total },
    expiresAt: new Date(row.created_at.getTime() + IMPORT_HOURS * 3_600_000).toISOString(),
    items: row.items,
    faults: row.faults,
    faultCount: row.fault_count,
    warnings: row.warnings,
    warningCount: row.warning_count,
  };
}
