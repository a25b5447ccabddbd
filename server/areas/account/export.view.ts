import type { DataExport } from '@officium/contract/personal-data';
import type { z } from 'zod';
import type { ExportRow } from './export.repository.ts';

export function toDataExport(row: ExportRow): z.output<typeof DataExport> {
  return {
    id: row.id,
    status: row.status as 'pending' | 'ready' | 'failed', // guaranteed by the column's check constraint
    bytes: row.bytes,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
  };
}
