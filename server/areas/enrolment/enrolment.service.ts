import { DEFAULT_LOCALE } from '@officium/contract/common';
import type { Enrolment, EnrolmentMetadata } from '@officium/contract/enrolment';
import { isLocale } from '@officium/i18n/locales';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import type { ServiceViewer, UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { invalid, notFound } from '#server/errors.ts';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import { getUserByEmail } from '#server/areas/auth/user.service.ts';
import { defineJob } from '#server/jobs/define.ts';
import { queueMail } from '#server/mail/outbox.ts';
import * as repository from './enrolment.repository.ts';
import type { BulkEnrolmentRow, EnrolmentPlace } from './enrolment.rows.ts';
import { requireTargets, type AskedPlace } from './target.service.ts';

type Actor = ServiceViewer | UserViewer;
export type EnrolmentInput = z.output<typeof Enrolment>;
/** What was asked for one address with the records of it. */
export type Enrolled = { asked: EnrolmentInput; rows: BulkEnrolmentRow[] };

/** The end of a place is kept beside its metadata. */
export function splitMetadata({ expiresOn, ...metadata }: z.output<typeof EnrolmentMetadata>): {
  metadata: EnrolmentPlace['metadata'];
  expiresOn: Date | null;
} {
  return { metadata, expiresOn: expiresOn ? new Date(expiresOn) : null };
}

function placesOf(asked: EnrolmentInput, path = ''): AskedPlace[] {
  const prefix = path === '' ? '' : `${path}.`;
  return asked.enrolments.map(({ type, slug, enrolmentMetadata }, position) => ({
    path: `${prefix}enrolments.${position}`,
    cohortPath: `${prefix}cohortIds`,
    place: {
      email: asked.email,
      type,
      slug,
      ...splitMetadata(enrolmentMetadata),
      userDefaults: asked.userDefaults,
      cohortIds: asked.cohortIds,
    },
  }));
}

/** Everybody takes records in one order, so that two requests for the same people do not wait for each other. */
const inOrder = (places: EnrolmentPlace[]) => {
  const keyOf = (place: EnrolmentPlace) =>
    [place.email, place.type, place.slug, place.metadata.journeySlug ?? ''].join(' ');
  return [...new Map(places.map((place) => [keyOf(place), place]))].sort(([a], [b]) => (a < b ? -1 : 1));
};

/** Gives the owner of the address their place, or invites whoever reads its mail. */
export async function settleRecord(ctx: Ctx, db: Db, id: string): Promise<void> {
  if (await repository.settle(db, id)) await invite(ctx, db, id);
}

/** Writes to the address of a record; once an hour. After all else that waits for other transactions. */
async function invite(ctx: Ctx, db: Db, id: string): Promise<void> {
  const record = await repository.getRecord(db, id);
  if (!record) return;
  const { email } = record;
  const kind = 'enrolment_invitation';
  await repository.lockMailsTo(db, email);
  if ((await repository.countMails(db, { email, kind, seconds: 3600 })) > 0) return;
  const wanted = record.metadata.locale ?? record.user_defaults['locale'] ?? '';
  const locale = isLocale(wanted) ? wanted : DEFAULT_LOCALE;
  await queueMail(ctx, db, { kind, to: email, locale, link: linkTo(ctx, '/signup', { email }) });
}

/** Enrols one person, at once when the address is proven. */
export async function enrolPerson(ctx: Ctx, actor: Actor, asked: EnrolmentInput): Promise<Enrolled> {
  return await write(ctx, actor, asked, 'enrolment.enrol', { keepsLaterEnd: true });
}

/** Sets the places named of an address somebody knows. */
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
  asked: EnrolmentInput,
  action: 'enrolment.enrol' | 'enrolment.change',
  options: { keepsLaterEnd: boolean },
): Promise<Enrolled> {
  const places = placesOf(asked);
  await requireTargets(ctx.db, places);
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockClaims(trx);
    const ids: string[] = [];
    let waiting: string | undefined;
    for (const [, place] of inOrder(places.map((each) => each.place))) {
      const { id, isGiven } = await repository.upsertRecord(trx, place, options);
      if (isGiven) await repository.followRecord(trx, id);
      else if (await repository.settle(trx, id)) waiting ??= id;
      await recordAction(trx, actor, { action, object: id, detail: { type: place.type, slug: place.slug } });
      ids.push(id);
    }
    if (waiting !== undefined) await invite(ctx, trx, waiting);
    return { asked, rows: await repository.findByIds(trx, ids) };
  });
}

/** Works off accepted records; doing so twice gives one effect. */
export const settleRecordsJob = defineJob<{ ids: string[] }>('enrolment.settle-records', {}, async (ctx, { ids }) => {
  for (const id of ids)
    await inTransaction(ctx.db, async (trx) => {
      await repository.lockClaims(trx);
      await settleRecord(ctx, trx, id);
    });
});

/** Stores `expired` where the clock has decided it. */
export const expireRecordsJob = defineJob('enrolment.expire-records', { cron: '* * * * *' }, async (ctx) => {
  await inTransaction(ctx.db, (trx) => repository.expireRecords(trx));
});

const CHUNK = 100;

/** Accepts all, to be worked off by a job, or nothing. */
export async function enrolMany(ctx: Ctx, actor: Actor, asked: EnrolmentInput[]): Promise<Enrolled[]> {
  const places = asked.map((one, position) => placesOf(one, `enrolments.${position}`));
  await requireTargets(ctx.db, places.flat());
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockClaims(trx);
    const idOf = new Map<string, string>();
    for (const [key, place] of inOrder(places.flat().map((each) => each.place))) {
      const { id, isGiven } = await repository.upsertRecord(trx, place, { keepsLaterEnd: true });
      if (isGiven) await repository.followRecord(trx, id);
      idOf.set(key, id);
    }
    const ids = [...idOf.values()];
    for (let at = 0; at < ids.length; at += CHUNK)
      await ctx.jobs.enqueue(trx, settleRecordsJob, { ids: ids.slice(at, at + CHUNK) });
    await recordAction(trx, actor, { action: 'enrolment.enrol-many', object: ids[0] ?? '', detail: { ids } });
    const byId = new Map((await repository.findByIds(trx, ids)).map((row) => [row.id, row]));
    return asked.map((one, position) => ({
      asked: one,
      rows: inOrder((places[position] ?? []).map(({ place }) => place)).flatMap(([key]) => {
        const row = byId.get(idOf.get(key) ?? '');
        return row ? [row] : [];
      }),
    }));
  });
}

/** Ends every place of an address in a course. */
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
