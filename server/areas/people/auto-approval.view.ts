import type { AutoApproval } from '@officium/contract/people';
import type { z } from 'zod';
import type { AutoApprovalRow } from './auto-approval.repository.ts';

export function toAutoApproval(row: AutoApprovalRow): z.output<typeof AutoApproval> {
  return {
    id: row.id,
    value: row.value,
    type: row.type,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
