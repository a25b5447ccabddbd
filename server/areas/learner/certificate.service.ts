import { randomBytes } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import { toNameOnCertificate } from '@officium/contract/learner';
import { BASIC, courseLevel } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { renderCertificatePdf } from '#server/outside/certificate-pdf.ts';
import { pickText } from '#server/text/localised.ts';
import { getCertificate, getPublicCertificate, insertCertificate } from './certificate.repository.ts';
import { toDocument } from './certificate.view.ts';
import type { CourseAccess, JourneyAccess } from './course-access.policy.ts';
import { journeyAccess } from './course-access.service.ts';
import { lockEnrolment, markCompleted } from './enrolment.repository.ts';
import type { JourneySlugs } from './enrolment.service.ts';
import type { CertificateJson, PublicCertificateRow } from './learner.rows.ts';
import { isComplete } from './progress.policy.ts';
import { getProgress } from './progress.repository.ts';

/**
 * The certificate of a completed journey, made when there is none. `name` counts only then; without it the account's
 * name is printed.
 */
export async function issueCertificate(
  ctx: Ctx,
  actor: UserViewer,
  { courseSlug, journeySlug, name, locale }: JourneySlugs & { name?: string; locale: Locale },
): Promise<{ certificate: CertificateJson; isNew: boolean }> {
  const place = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { course, journey } = await journeyAccess(ctx.db, actor, place);
  const of = { userId: actor.id, journeyKey: journey.key };
  const known = await getCertificate(ctx.db, of);
  if (known) return { certificate: known, isNew: false };
  // A place that has ended keeps the right to what was completed, so only the session's token can take it away.
  if (courseLevel(actor, course, { granted: true, enrolled: true }) < BASIC) throw new AppError('auth.forbidden');
  return await inTransaction(ctx.db, async (trx) => {
    const enrolment = await lockEnrolment(trx, of);
    const other = await getCertificate(trx, of);
    if (other) return { certificate: other, isNew: false };
    if (!enrolment) throw new AppError('learner.not_completed');
    await insertNew(trx, { actor, course, journey, enrolment, locale, name: name ?? toNameOnCertificate(actor.name) });
    const certificate = await getCertificate(trx, of);
    if (!certificate) throw new AppError('server.failed');
    return { certificate, isNew: true };
  });
}

type Issue = {
  actor: UserViewer;
  course: CourseAccess;
  journey: JourneyAccess;
  enrolment: { id: string; completed_at: Date | null };
  locale: Locale;
  name: string;
};

async function insertNew(trx: Db, { actor, course, journey, enrolment, locale, name }: Issue): Promise<void> {
  const progress = await getProgress(trx, { userId: actor.id, journeyKey: journey.key });
  if (enrolment.completed_at === null) {
    // The last lesson missing may have been withdrawn since.
    if (!isComplete(progress)) throw new AppError('learner.not_completed');
    await markCompleted(trx, enrolment.id);
  }
  await insertCertificate(trx, {
    userId: actor.id,
    journeyKey: journey.key,
    publicId: randomBytes(16).toString('hex'),
    name,
    courseTitle: pickText(course.title, locale).text,
    journeyTitle: pickText(journey.title, locale).text,
    locale,
    lessons: progress.completedLessons,
    minutes: progress.completedTime,
  });
}

/** What a certificate claims; 404 when there is none of this number. */
export async function readPublicCertificate(ctx: Ctx, publicId: string): Promise<PublicCertificateRow> {
  const certificate = await getPublicCertificate(ctx.db, publicId.toLowerCase());
  if (!certificate) throw notFound();
  return certificate;
}

const KEPT_DOCUMENTS = 200; // of about 25 kB
const documents = new Map<string, Promise<Buffer>>();

/** The printed certificate, drawn from its record. The last ones asked for are kept; drawing one takes some 50 ms. */
export async function renderCertificate(ctx: Ctx, row: PublicCertificateRow): Promise<Buffer> {
  const { publicUrl, providerName } = ctx.config;
  const key = `${publicUrl} ${row.public_id}`;
  const rendering = documents.get(key) ?? renderCertificatePdf(toDocument(row, { publicUrl, issuer: providerName }));
  documents.delete(key);
  documents.set(key, rendering);
  const [oldest] = documents.keys();
  if (documents.size > KEPT_DOCUMENTS && oldest !== undefined) documents.delete(oldest);
  return await rendering.catch((error: unknown) => {
    documents.delete(key);
    throw error;
  });
}
