import { createHash, randomBytes } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import { toNameOnCertificate, type RevocationReason } from '@officium/contract/learner';
import { recordAction } from '#server/audit/audit.ts';
import { isShutOutOfCourse } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { pickText } from '#server/text/localised.ts';
import {
  findPassed,
  getCertificate,
  getPublicCertificate,
  insertCertificate,
  lockOwnCertificate,
  replaceCertificate,
  revokeByNumber,
} from './certificate.repository.ts';
import { toDocument, toStated } from './certificate.view.ts';
import { designOf } from './design.view.ts';
import { drawnLook } from './design.service.ts';
import { keepDocuments } from './document.cache.ts';
import { issuerOf } from './issuer.view.ts';
import { hasCertificateFile, insertCertificateFile } from './certificate-file.repository.ts';
import { lockCurrent, lockEnrolmentOf } from './renewal.repository.ts';
import type { CourseAccess, JourneyAccess } from '#server/areas/learner/course-access.policy.ts';
import { journeyAccess, requireOpenRecords } from '#server/areas/learner/course-access.service.ts';
import { lockEnrolment, type LockedEnrolment, markCompleted } from '#server/areas/learner/enrolment.repository.ts';
import type { JourneySlugs } from '#server/areas/learner/enrolment.service.ts';
import type { CertificateJson, PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';
import { isComplete } from '#server/areas/learner/progress.policy.ts';
import { endRenewal, hasCompletedRenewal } from '#server/areas/learner/renewal.repository.ts';
import { getMostDone, getProgress } from '#server/areas/learner/progress.repository.ts';
import { notify } from '#server/notify/notify.ts';

/**
 * Returns the certificate of a completed journey, issuing it if there is none. `name` applies only to a new one and
 * defaults to the account's name.
 */
export async function issueCertificate(
  ctx: Ctx,
  viewer: UserViewer,
  { courseSlug, journeySlug, name, locale }: JourneySlugs & { name?: string; locale: Locale },
): Promise<{ certificate: CertificateJson; isNew: boolean }> {
  const slugs = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { course, journey } = await journeyAccess(ctx.db, viewer, slugs);
  requireOpenRecords(viewer, course);
  const of = { userId: viewer.id, journeyKey: journey.key };
  const known = await getCertificate(ctx.db, of);
  if (known && !(await hasCompletedRenewal(ctx.db, of))) return { certificate: known, isNew: false };
  return await inTransaction(ctx.db, async (trx) => {
    const enrolment = await lockEnrolment(trx, of);
    const current = await lockCurrent(trx, of);
    const other = await getCertificate(trx, of);
    if (other && !mayFollow(current, enrolment)) return { certificate: other, isNew: false };
    if (!enrolment) throw new AppError('learner.not_completed');
    await insertNew(trx, {
      viewer,
      course,
      journey,
      enrolment,
      locale,
      name: name ?? toNameOnCertificate(viewer.name),
      issuer: issuerOf(ctx).issuer,
      follows: current?.id ?? null,
      siteVersion: ctx.site.current().version || null,
    });
    if (current) await endRenewal(trx, enrolment.id);
    const certificate = await getCertificate(trx, of);
    if (!certificate) throw new AppError('server.failed');
    return { certificate, isNew: true };
  });
}

/** A completed renewal earns the next certificate, unless the current one was revoked. */
function mayFollow(current: { revoked_at: Date | null } | undefined, enrolment: LockedEnrolment | undefined): boolean {
  return current?.revoked_at === null && (enrolment?.renewal_completed_at ?? null) !== null;
}

type Issue = {
  viewer: UserViewer;
  course: CourseAccess;
  journey: JourneyAccess;
  enrolment: { id: string; completed_at: Date | null };
  locale: Locale;
  name: string;
  issuer: string;
  /** The certificate that it renews. */
  follows: string | null;
  siteVersion: number | null;
};

async function insertNew(
  trx: Db,
  { viewer, course, journey, enrolment, locale, name, issuer, follows, siteVersion }: Issue,
): Promise<void> {
  const of = { userId: viewer.id, journeyKey: journey.key };
  const { progress, revision } = await getProgress(trx, of);
  if (enrolment.completed_at === null) {
    // Progress recorded by other means than completing lessons.
    if (!isComplete(progress)) throw new AppError('learner.not_completed');
    await markCompleted(trx, enrolment.id, revision);
  }
  const done = await getMostDone(trx, of);
  const passed = await findPassed(trx, of);
  const inserted = await insertCertificate(trx, {
    userId: viewer.id,
    journeyKey: journey.key,
    publicId: newPublicId(),
    name,
    courseTitle: pickText(course.title, locale).text,
    journeyTitle: pickText(journey.title, locale).text,
    locale,
    issuer,
    follows,
    siteVersion,
    assessments: passed.length === 0 ? null : passed.map((each) => toStated(each, locale)),
    // Lessons withdrawn after their completion still count.
    lessons: Math.max(progress.completedLessons, done.lessons),
    minutes: Math.max(progress.completedTime, done.minutes),
  });
  if (inserted) await notify(trx, [{ userId: viewer.id, event: 'certificate', objectId: inserted.id }]);
}

const newPublicId = () => randomBytes(16).toString('hex');
const MAX_CORRECTIONS = 3;

/** Replaces the viewer's certificate with one under the corrected name and revokes the old one. */
export async function correctCertificate(
  ctx: Ctx,
  viewer: UserViewer,
  { publicId, name }: { publicId: string; name: string },
): Promise<CertificateJson> {
  return await inTransaction(ctx.db, async (trx) => {
    const which = { userId: viewer.id, publicId: publicId.toLowerCase() };
    await lockEnrolmentOf(trx, which);
    const own = await lockOwnCertificate(trx, which);
    if (!own || isShutOutOfCourse(viewer, own.course_slug)) throw notFound();
    requireOpenRecords(viewer, { slug: own.course_slug });
    if (own.revoked_at !== null) throw new AppError('learner.certificate_revoked');
    if (own.replaced_by !== null) throw new AppError('learner.certificate_replaced');
    if (own.name === name) throw new AppError('learner.same_name');
    if (own.corrections >= MAX_CORRECTIONS) throw new AppError('learner.corrections_used');
    const replacement = newPublicId();
    const replaced = await replaceCertificate(trx, { id: own.id, publicId: replacement, name });
    // The notification of the revoked certificate is no longer shown.
    if (replaced.isNews) await notify(trx, [{ userId: viewer.id, event: 'certificate', objectId: replaced.id }]);
    const row = await getPublicCertificate(trx, replacement);
    if (!row) throw new AppError('server.failed');
    return { id: row.id, publicId: replacement, name, issuedAt: row.issued_at.toISOString() };
  });
}

/** Revokes a certificate permanently. */
export async function revokeCertificate(
  ctx: Ctx,
  viewer: UserViewer,
  { publicId, reason }: { publicId: string; reason: RevocationReason },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const revoked = await revokeByNumber(trx, { publicId: publicId.toLowerCase(), reason });
    if (!revoked) throw notFound();
    if (!revoked.isNew) return;
    await recordAction(trx, viewer, {
      action: 'learner.revoke-certificate',
      object: revoked.id,
      detail: { reason },
    });
  });
}

/** Whether a file is an issued PDF of this certificate, by its SHA-256 in hex. */
export async function checkCertificateFile(
  ctx: Ctx,
  { publicId, sha256 }: { publicId: string; sha256: string },
): Promise<{ matches: boolean }> {
  const file = { publicId: publicId.toLowerCase(), sha256: Buffer.from(sha256, 'hex') };
  const matches = await hasCertificateFile(ctx.db, file);
  if (matches === undefined) throw notFound();
  return { matches };
}

/** The claims of a certificate; 404 if the number is unknown. */
export async function readPublicCertificate(ctx: Ctx, publicId: string): Promise<PublicCertificateRow> {
  const certificate = await getPublicCertificate(ctx.db, publicId.toLowerCase());
  if (!certificate) throw notFound();
  return certificate;
}

/** About 25 kB each, and 1 to 3 MB with pictures. */
const documents = keepDocuments();

/**
 * Renders the PDF of a certificate and records its SHA-256, so that forgeries can be detected. Rendering takes about
 * 50 ms, so recent PDFs are cached.
 */
export async function renderCertificate(ctx: Ctx, row: PublicCertificateRow): Promise<Buffer> {
  const { publicUrl, issuer } = issuerOf(ctx, row);
  const key = JSON.stringify([publicUrl, row.public_id, issuer]);
  return await documents(key, async () => await draw(ctx, row));
}

async function draw(ctx: Ctx, row: PublicCertificateRow): Promise<Buffer> {
  const { renderCertificatePdf } = await import('./pdf.view.ts'); // loads the fonts
  const look = await drawnLook(ctx, designOf(row), row.locale);
  const file = await renderCertificatePdf({ ...toDocument(row, issuerOf(ctx, row)), look });
  const sha256 = createHash('sha256').update(file).digest();
  await insertCertificateFile(ctx.db, { publicId: row.public_id, sha256 });
  return file;
}
