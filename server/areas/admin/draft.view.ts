import { DRAFT_MINUTES, type readUploadDraft } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { mailsAfterSeconds } from './upload.policy.ts';
import type { DraftRow } from './draft.repository.ts';

export function toDraft(row: DraftRow): ReplyOf<typeof readUploadDraft> {
  const { id, name, columns, addresses, fresh, added, already, inactive, repeated } = row;
  return {
    id,
    name,
    columns,
    addresses,
    fresh,
    added,
    invited: fresh - added,
    mailsAfterSeconds: mailsAfterSeconds(addresses),
    already,
    inactive,
    repeated,
    cohortId: row.cohort_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: new Date(row.created_at.getTime() + DRAFT_MINUTES * 60_000).toISOString(),
    column: row.chosen,
    rows: row.line_count,
    wrong: row.wrong_count,
    wrongRows: row.wrong,
    uploadId: row.upload_id,
  };
}
