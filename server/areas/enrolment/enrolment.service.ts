import { DEFAULT_LOCALE } from '@officium/contract/common';
import type { Enrolment, EnrolmentMetadata } from '@officium/contract/enrolment';
import { isLocale } from '@officium/i18n/locales';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import type { ServiceViewer, UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { invalid, notFound } from '#server/errors.ts';
import { followRecord, settleRecord } from '#server/areas/auth/enrolment-claim.service.ts';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import { getUserByEmail } from '#server/areas/auth/user.service.ts';
import { defineJob } from '#server/jobs/define.ts';
import { queueMail } from '#server/mail/outbox.ts';
import * as repository from './enrolment.repository.ts';
import { endMemberships } from './membership-end.repository.ts';
import type { BulkEnrolmentRow, EnrolmentRequest } from './enrolment.rows.ts';
import { countMails, lockMailsTo } from './mail-count.repository.ts';
import { requireTargets, type LocatedRequest } from './target.service.ts';

type Actor = ServiceViewer | UserViewer;
export type EnrolmentInput = z.output<typeof Enrolment>;
/** The input for one address and its records. */
export type Enrolled = { input: EnrolmentInput; rows: BulkEnrolmentRow[] };

/** Splits the end date off, which has a column of its own. */
export function splitMetadata({ expiresOn, ...metadata }: z.output<typeof EnrolmentMetadata>): {
  metadata: EnrolmentRequest['metadata'];
  expiresOn: Date | null;
} {
  return { metadata, expiresOn: expiresOn ? new Date(expiresOn) : null };
}

function requestsOf(input: EnrolmentInput, path = ''): LocatedRequest[] {
  const prefix = path === '' ? '' : `${path}.`;
  return input.enrolments.map(({ type, slug, enrolmentMetadata }, position) => ({
    path: `${prefix}enrolments.${position}`,
    cohortPath: `${prefix}cohortIds`,
    request: {
      email: input.email,
      type,
      slug,
      ...splitMetadata(enrolmentMetadata),
      userDefaults: input.userDefaults,
      cohortIds: input.cohortIds,
    },
  }));
}

/** Records are locked in one order everywhere, so that two requests for the same people cannot deadlock. */
const inLockOrder = (requests: EnrolmentRequest[]) => {
  const keyOf = (request: EnrolmentRequest) =>
    [request.email, request.type, request.slug, request.metadata.journeySlug ?? ''].join(' ');
  return [...new Map(requests.map((request) => [keyOf(request), request]))].sort(([a], [b]) => (a < b ? -1 : 1));
};

/** Grants a record to the owner of its address, or mails an invitation when there is no owner yet. */
export async function grantOrInvite(ctx: Ctx, db: Db, id: string): Promise<void> {
  if (await settleRecord(db, id)) await invite(ctx, db, id);
}

/** Copies a change of a granted record to the access, and ends a membership whose end has passed. */
export async function updateAccess(db: Db, record: { id: string; email: string }): Promise<void> {
  await followRecord(db, record.id);
  await endMemberships(db, record.email);
}

/** Mails the address of a record, at most once an hour. Called last, so that no other lock is awaited under this one. */
async function invite(ctx: Ctx, db: Db, id: string): Promise<void> {
  const record = await repository.getRecord(db, id);
  if (!record) return;
  const { email } = record;
  const kind = 'enrolment_invitation';
  await lockMailsTo(db, email);
  if ((await countMails(db, { email, kind, seconds: 3600 })) > 0) return;
  const wanted = record.metadata.locale ?? record.user_defaults['locale'] ?? '';
  const locale = isLocale(wanted) ? wanted : DEFAULT_LOCALE;
  await queueMail(ctx, db, { kind, to: email, locale, link: linkTo(ctx, '/signup', { email }) });
}

/** Enrols one person; immediately when the address is proven. */
export async function enrolPerson(ctx: Ctx, actor: Actor, input: EnrolmentInput): Promise<Enrolled> {
  return await write(ctx, actor, input, 'enrolment.enrol', { keepsLaterEnd: true });
}

/** Sets the listed enrolments of a known address. */
export async function changeEnrolments(
  ctx: Ctx,
  actor: Actor,
  { path, body }: { path: string; body: Omit<EnrolmentInput, 'email'> & { email?: string } },
): Promise<Enrolled> {
  if (body.email !== undefined && body.email !== path) throw invalid('email', 'Must be the address of the path');
  if (!(await repository.isAddressKnown(ctx.db, path))) throw notFound();
  return await write(ctx, actor, { ...body, email: path }, 'enrolment.change', { keepsLaterEnd: false });
}

async function write(
  ctx: Ctx,
  actor: Actor,
  input: EnrolmentInput,
  action: 'enrolment.enrol' | 'enrolment.change',
  options: { keepsLaterEnd: boolean },
): Promise<Enrolled> {
  const requests = requestsOf(input);
  await requireTargets(ctx.db, requests);
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockClaims(trx);
    const ids: string[] = [];
    let pending: string | undefined;
    for (const [, request] of inLockOrder(requests.map((each) => each.request))) {
      const { id, isGranted } = await repository.upsertRecord(trx, request, options);
      if (isGranted) await updateAccess(trx, { id, email: request.email });
      else if (await settleRecord(trx, id)) pending ??= id;
      await recordAction(trx, actor, { action, object: id, detail: { type: request.type, slug: request.slug } });
      ids.push(id);
    }
    if (pending !== undefined) await invite(ctx, trx, pending);
    return { input, rows: await repository.findByIds(trx, ids) };
  });
}

/** Processes accepted records. Processing a record twice has one effect. */
export const settleRecordsJob = defineJob<{ ids: string[] }>('enrolment.settle-records', {}, async (ctx, { ids }) => {
  for (const id of ids)
    await inTransaction(ctx.db, async (trx) => {
      await repository.lockClaims(trx);
      await grantOrInvite(ctx, trx, id);
    });
});

/** Stores `expired` in records whose end date has passed. */
export const expireRecordsJob = defineJob('enrolment.expire-records', { cron: '* * * * *' }, async (ctx) => {
  await inTransaction(ctx.db, (trx) => repository.expireRecords(trx));
});

const CHUNK = 100;

/** Stores all rows or none; a job grants them. */
export async function enrolMany(ctx: Ctx, actor: Actor, inputs: EnrolmentInput[]): Promise<Enrolled[]> {
  const requests = inputs.map((input, position) => requestsOf(input, `enrolments.${position}`));
  await requireTargets(ctx.db, requests.flat());
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockClaims(trx);
    const idOf = new Map<string, string>();
    for (const [key, request] of inLockOrder(requests.flat().map((each) => each.request))) {
      const { id, isGranted } = await repository.upsertRecord(trx, request, { keepsLaterEnd: true });
      if (isGranted) await updateAccess(trx, { id, email: request.email });
      idOf.set(key, id);
    }
    const ids = [...idOf.values()];
    for (let at = 0; at < ids.length; at += CHUNK)
      await ctx.jobs.enqueue(trx, settleRecordsJob, { ids: ids.slice(at, at + CHUNK) });
    await recordAction(trx, actor, { action: 'enrolment.enrol-many', object: ids[0] ?? '', detail: { ids } });
    const byId = new Map((await repository.findByIds(trx, ids)).map((row) => [row.id, row]));
    return inputs.map((input, position) => ({
      input,
      rows: inLockOrder((requests[position] ?? []).map(({ request }) => request)).flatMap(([key]) => {
        const row = byId.get(idOf.get(key) ?? '');
        return row ? [row] : [];
      }),
    }));
  });
}

/** Ends every enrolment of an address in a course. */
export async function withdrawPerson(
  ctx: Ctx,
  actor: Actor,
  { email, courseSlug }: { email: string; courseSlug: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await repository.lockClaims(trx);
    if ((await repository.withdraw(trx, { email, courseSlug })) === 0) throw notFound();
    const user = await getUserByEmail(trx, email);
    await recordAction(trx, actor, {
      action: 'enrolment.withdraw',
      object: courseSlug,
      detail: user ? { userId: user.id } : {},
    });
  });
}
