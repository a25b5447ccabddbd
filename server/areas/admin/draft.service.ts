import { DRAFT_MINUTES, type readUploadDraft } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { lockState } from './cohort.repository.ts';
import { requireTaking, requireTakingCohort } from './cohort.service.ts';
import * as repository from './draft.repository.ts';
import { toDraft } from './draft.view.ts';
import { findAddresses, readTable, type Addresses } from './files/addresses.format.ts';
import { cleanCell } from './files/table.format.ts';
import { queueUpload, readUploadOf } from './upload.service.ts';
import type { UploadView } from './upload.view.ts';

type DraftView = ReplyOf<typeof readUploadDraft>;
export type SentFile = { name: string; content: Uint8Array };
/** A parsed file. Parsing can be slow, so it runs outside any transaction. */
export type ReadFile = SentFile & { found: Addresses };

export async function readFile(file: SentFile): Promise<ReadFile> {
  return { ...file, found: await findAddresses(await readTable(file.content)) };
}

async function assess(db: Db, cohortId: string, found: Addresses) {
  return { ...found, chosen: found.column, ...(await repository.countPreview(db, cohortId, found.emails)) };
}

/** Stores a parsed file as a draft for an hour and returns what uploading it would do. */
export async function storeDraft(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  { name, content, found }: ReadFile,
  requestId: string,
): Promise<DraftView> {
  return await inTransaction(ctx.db, async (trx) => {
    await requireTakingCohort(trx, cohortId);
    const draft = await assess(trx, cohortId, found);
    const named = cleanCell(name).slice(0, 120);
    const draftId = await repository.insertDraft(trx, { ...draft, cohortId, userId: viewer.id, name: named, content });
    const detail = { draftId, addresses: found.emails.length };
    await recordAction(trx, viewer, { action: 'admin.read-file', object: cohortId, detail, requestId });
    return await readDraftOf(trx, { cohortId, draftId, userId: viewer.id });
  });
}

export async function readDraftOf(db: Db, key: repository.DraftKey): Promise<DraftView> {
  const row = await repository.getDraft(db, key, DRAFT_MINUTES);
  if (!row) throw notFound();
  return toDraft(row);
}

/** Parses the file again with the addresses in another column. */
export async function chooseColumn(
  ctx: Ctx,
  viewer: UserViewer,
  { column, ...key }: repository.DraftKey & { column: number },
  requestId: string,
): Promise<DraftView> {
  const content = await repository.getContent(ctx.db, key, DRAFT_MINUTES);
  if (!content) throw notFound();
  const found = await findAddresses(await readTable(content), column);
  return await inTransaction(ctx.db, async (trx) => {
    await repository.updateDraft(trx, key.draftId, await assess(trx, key.cohortId, found));
    const detail = { draftId: key.draftId, column };
    await recordAction(trx, viewer, { action: 'admin.choose-column', object: key.cohortId, detail, requestId });
    return await readDraftOf(trx, key);
  });
}

/** Starts the upload of a draft. A repeated call returns the same upload. */
export async function confirmDraftOf(
  ctx: Ctx,
  viewer: UserViewer,
  { slug, ...key }: repository.DraftKey & { slug: string },
  requestId: string,
): Promise<UploadView> {
  return await inTransaction(ctx.db, async (trx) => {
    const { cohortId } = key;
    // Before the draft, which deleting the cohort locks second.
    const cohort = await lockState(trx, cohortId);
    const draft = await repository.lockDraft(trx, key, DRAFT_MINUTES);
    if (!cohort || !draft) throw notFound();
    if (draft.upload_id !== null) return await readUploadOf(trx, { cohortId, uploadId: draft.upload_id });
    requireTaking(cohort);
    const { uploadId } = await queueUpload(ctx, trx, viewer, { cohortId, slug, emails: draft.emails }, requestId);
    await repository.markConfirmed(trx, key.draftId, uploadId);
    return await readUploadOf(trx, { cohortId, uploadId });
  });
}
