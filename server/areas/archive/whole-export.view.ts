import type { WholeExport } from '@officium/contract/whole-exports';
import type { WholeExportRow } from './whole-export.repository.ts';

export function toWholeExport(row: WholeExportRow): WholeExport {
  return {
    id: row.id,
    status: row.status as WholeExport['status'], // guaranteed by the column's check constraint
    bytes: row.bytes,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
