import type { Upload } from '@officium/contract/admin';
import type { z } from 'zod';
import type { UploadStateRow } from './upload.repository.ts';

export type UploadView = z.output<typeof Upload>;

export function toUpload(row: UploadStateRow): UploadView {
  const { added, invited, already, invalid, removed, withdrawn, kept, stopped } = row;
  return {
    uploadId: row.id,
    cohortId: row.cohort_id,
    slug: row.slug,
    status: row.waiting > 0 ? 'processing' : 'done',
    createdAt: row.created_at.toISOString(),
    total: row.total,
    outcomes: { added, invited, already, invalid },
    waiting: row.waiting,
    seconds: Math.max(0, row.seconds),
    canUndo: row.is_recent && row.undo_started_at === null,
    undo: row.undo_started_at && {
      startedAt: row.undo_started_at.toISOString(),
      finishedAt: row.undo_finished_at?.toISOString() ?? null,
      removed,
      withdrawn,
      kept,
      stopped,
    },
  };
}
