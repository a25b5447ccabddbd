import type { LocalizedText } from '@officium/contract/common';
import type { RevocationReason } from '@officium/contract/learner';
import { sql, type RawBuilder } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import { isNews } from '#server/notify/notify.ts';
import type { CertificateJson, PublicCertificateRow, StatedAssessment } from '#server/areas/learner/learner.rows.ts';

/** SQL for a user's certificate of a journey as JSON, or null. */
export function certificateJson(
  journeyKey: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
): RawBuilder<CertificateJson | null> {
  return sql<CertificateJson | null>`(
    select json_build_object(
      'id', held.id, 'publicId', held.public_id, 'name', held.name_on_certificate, 'issuedAt', held.issued_at)
    from certificates held
    where held.journey_key = ${journeyKey} and held.user_id = ${userId} and held.replaced_by is null)`;
}

export async function getCertificate(
  db: Db,
  { userId, journeyKey }: { userId: string; journeyKey: string },
): Promise<CertificateJson | undefined> {
  const { certificate } = await db
    .selectNoFrom(certificateJson(sql`${journeyKey}::uuid`, sql`${userId}::uuid`).as('certificate'))
    .executeTakeFirstOrThrow();
  return certificate ?? undefined;
}

export type NewCertificate = {
  userId: string;
  journeyKey: string;
  publicId: string;
  name: string;
  courseTitle: string;
  journeyTitle: string;
  locale: string;
  lessons: number;
  minutes: number;
  issuer: string;
  assessments: StatedAssessment[] | null;
  /** The certificate that it renews. */
  follows: string | null;
  /** The version of the site whose design it keeps; null before the first. */
  siteVersion: number | null;
};

/** The assessments of a journey that a learner has passed, in its order, with the time of the first pass. */
export async function findPassed(
  db: Db,
  { userId, journeyKey }: { userId: string; journeyKey: string },
): Promise<{ lesson: string; title: LocalizedText; passMark: number; passedAt: Date }[]> {
  return await db
    .selectFrom('lessons as l')
    .innerJoin('assessment_attempts as a', 'a.lesson_key', 'l.key')
    .distinctOn(['l.position', 'l.key'])
    .select(['l.key as lesson', 'l.title', 'a.pass_mark as passMark', 'a.submitted_at as passedAt'])
    .where('l.journey_key', '=', journeyKey)
    .where('l.withdrawn_at', 'is', null)
    .where('a.user_id', '=', userId)
    .where('a.passed', '=', true)
    .where('a.lapsed_at', 'is', null)
    .orderBy('l.position')
    .orderBy('l.key')
    .orderBy('a.submitted_at')
    .$castTo<{ lesson: string; title: LocalizedText; passMark: number; passedAt: Date }>()
    .execute();
}

/** Takes the next position in the status lists, in the statement that inserts its certificate. */
function withNewStatus(db: Db) {
  return db.with('status', (cte) => cte.insertInto('credential_statuses').defaultValues().returning('position'));
}

/** The end of the last day in UTC, after the months that the journey sets; null without months. */
const expiry = (journeyKey: string) => sql<Date | null>`(
  select (date_trunc('day', now() at time zone 'UTC') + make_interval(months => certificate_months)
    + interval '1 day' - interval '1 second') at time zone 'UTC'
  from journeys where key = ${journeyKey} and certificate_months is not null)`;

/** Undefined when the user already has one for this journey, except the one it follows. */
export async function insertCertificate(db: Db, certificate: NewCertificate): Promise<{ id: string } | undefined> {
  const id = newId();
  const { follows } = certificate;
  if (follows !== null)
    await db.updateTable('certificates').set({ replaced_by: id }).where('id', '=', follows).execute();
  return await withNewStatus(db)
    .insertInto('certificates')
    .values((eb) => ({
      id,
      user_id: certificate.userId,
      journey_key: certificate.journeyKey,
      public_id: certificate.publicId,
      name_on_certificate: certificate.name,
      course_title: certificate.courseTitle,
      journey_title: certificate.journeyTitle,
      locale: certificate.locale,
      lessons: certificate.lessons,
      minutes: certificate.minutes,
      issuer: certificate.issuer,
      assessments: certificate.assessments && JSON.stringify(certificate.assessments),
      expires_at: expiry(certificate.journeyKey),
      follows,
      site_version: certificate.siteVersion,
      status_position: eb.selectFrom('status').select('status.position'),
    }))
    .onConflict((conflict) => conflict.columns(['user_id', 'journey_key']).where('replaced_by', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
}

type OwnCertificateRow = {
  id: string;
  name: string;
  revoked_at: Date | null;
  replaced_by: string | null;
  corrections: number;
  course_slug: string;
};

/** Locks a user's certificate. Undefined if the number is not theirs. */
export async function lockOwnCertificate(
  db: Db,
  { userId, publicId }: { userId: string; publicId: string },
): Promise<OwnCertificateRow | undefined> {
  return await db
    .selectFrom('certificates as t')
    .innerJoin('journeys as j', 'j.key', 't.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select((eb) => [
      't.id',
      't.name_on_certificate as name',
      't.revoked_at',
      't.replaced_by',
      eb
        .selectFrom('certificates as old')
        .select(sql<number>`count(*)::integer`.as('count'))
        .whereRef('old.user_id', '=', 't.user_id')
        .whereRef('old.journey_key', '=', 't.journey_key')
        .where('old.revocation_reason', '=', 'name_corrected')
        .where((own) => own('old.follows', 'is not distinct from', own.ref('t.follows')))
        .$asScalar()
        .$notNull()
        .as('corrections'),
      'c.slug as course_slug',
    ])
    .where('t.public_id', '=', publicId)
    .where('t.user_id', '=', userId)
    .forUpdate('t')
    .executeTakeFirst();
}

/** Replaces a locked certificate with one under another name, keeping its claims and date. `isNews`: see `isNews`. */
export async function replaceCertificate(
  db: Db,
  { id, publicId, name }: { id: string; publicId: string; name: string },
): Promise<{ id: string; isNews: boolean }> {
  const replacement = newId();
  await revokeRow(db, { id, reason: 'name_corrected' });
  await db.updateTable('certificates').set({ replaced_by: replacement }).where('id', '=', id).execute();
  return await withNewStatus(db)
    .insertInto('certificates')
    .columns([
      'id',
      'user_id',
      'journey_key',
      'public_id',
      'name_on_certificate',
      'course_title',
      'journey_title',
      'locale',
      'lessons',
      'minutes',
      'issued_at',
      'issuer',
      'assessments',
      'expires_at',
      'follows',
      'site_version',
      'status_position',
    ])
    .expression((eb) =>
      eb
        .selectFrom('certificates as t')
        .crossJoin('status')
        .select([
          sql<string>`${replacement}::uuid`.as('id'),
          't.user_id',
          't.journey_key',
          sql<string>`${publicId}::text`.as('public_id'),
          sql<string>`${name}::text`.as('name_on_certificate'),
          't.course_title',
          't.journey_title',
          't.locale',
          't.lessons',
          't.minutes',
          't.issued_at',
          't.issuer',
          't.assessments',
          't.expires_at',
          't.follows',
          't.site_version',
          'status.position',
        ])
        .where('t.id', '=', id),
    )
    .returning(['id', sql<boolean>`${sql.raw(isNews('issued_at'))}`.as('isNews')])
    .executeTakeFirstOrThrow();
}

/** Revokes a certificate. `isNew` is false if it was already revoked; undefined if the number is unknown. */
export async function revokeByNumber(
  db: Db,
  { publicId, reason }: { publicId: string; reason: RevocationReason },
): Promise<{ id: string; isNew: boolean } | undefined> {
  const found = await db
    .selectFrom('certificates')
    .select(['id', 'revoked_at'])
    .where('public_id', '=', publicId)
    .forUpdate()
    .executeTakeFirst();
  if (!found) return undefined;
  if (found.revoked_at === null) await revokeRow(db, { id: found.id, reason });
  return { id: found.id, isNew: found.revoked_at === null };
}

async function revokeRow(db: Db, { id, reason }: { id: string; reason: RevocationReason }): Promise<void> {
  await db
    .with('revoked', (cte) =>
      cte
        .updateTable('certificates')
        .set({ revoked_at: sql<Date>`now()`, revocation_reason: reason })
        .where('id', '=', id)
        .returning('status_position'),
    )
    .updateTable('credential_statuses as s')
    .from('revoked')
    .set({ revoked_at: sql<Date>`now()` })
    .whereRef('s.position', '=', 'revoked.status_position')
    .execute();
}

export async function getPublicCertificate(db: Db, publicId: string): Promise<PublicCertificateRow | undefined> {
  return await db
    .selectFrom('certificates as t')
    .innerJoin('journeys as j', 'j.key', 't.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .innerJoin('entries as x', 'x.id', 'c.id')
    .leftJoin('products as p', 'p.entry_id', 'c.id')
    .leftJoin('site_versions as v', 'v.version', 't.site_version')
    // Named only in the same name, so that nobody learns a former one.
    .leftJoin('certificates as f', (join) =>
      join.onRef('f.id', '=', 't.follows').onRef('f.name_on_certificate', '=', 't.name_on_certificate'),
    )
    .select([
      't.id',
      't.public_id',
      't.name_on_certificate',
      't.course_title',
      't.journey_title',
      't.locale',
      't.lessons',
      't.minutes',
      't.issued_at',
      't.expires_at',
      'f.public_id as follows',
      'v.identity as siteIdentity',
      't.revoked_at',
      't.revocation_reason',
      't.journey_key',
      't.status_position',
      't.issuer',
      't.assessments',
    ])
    .select((eb) => [
      eb
        .case()
        .when(eb.and([eb('c.type', '=', 'Public'), eb('x.status', '=', 'published'), eb('p.can_view', '=', 'public')]))
        .then(eb.ref('c.slug'))
        .end()
        .as('open_course_slug'),
      sql<boolean>`coalesce(${eb.ref('t.expires_at')} <= now(), false)`.as('is_expired'),
    ])
    .$narrowType<{ revocation_reason: RevocationReason | null; assessments: StatedAssessment[] | null }>()
    .where('t.public_id', '=', publicId)
    .executeTakeFirst();
}
