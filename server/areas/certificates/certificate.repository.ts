import type { RevocationReason } from '@officium/contract/learner';
import { sql, type RawBuilder } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import { isNews } from '#server/notify/notify.ts';
import type { CertificateJson, PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';

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
};

/** Takes the next position in the status lists, in the statement that inserts its certificate. */
function withNewStatus(db: Db) {
  return db.with('status', (cte) => cte.insertInto('credential_statuses').defaultValues().returning('position'));
}

/** Undefined when the user already has one for this journey. */
export async function insertCertificate(db: Db, certificate: NewCertificate): Promise<{ id: string } | undefined> {
  return await withNewStatus(db)
    .insertInto('certificates')
    .values((eb) => ({
      id: newId(),
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
      eb
        .selectFrom('certificates as old')
        .select(sql<number>`count(*)::integer`.as('count'))
        .whereRef('old.user_id', '=', 't.user_id')
        .whereRef('old.journey_key', '=', 't.journey_key')
        .where('old.replaced_by', 'is not', null)
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

/** Records the SHA-256 of an issued PDF. */
export async function insertCertificateFile(
  db: Db,
  { publicId, sha256 }: { publicId: string; sha256: Buffer },
): Promise<void> {
  await db
    .insertInto('certificate_files')
    .columns(['certificate_id', 'sha256'])
    .expression((eb) =>
      eb
        .selectFrom('certificates')
        .select(['id', sql<Buffer>`${sha256}::bytea`.as('sha256')])
        .where('public_id', '=', publicId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether a PDF with this SHA-256 was issued. Undefined if the number is unknown. */
export async function hasCertificateFile(
  db: Db,
  { publicId, sha256 }: { publicId: string; sha256: Buffer },
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('certificates as t')
    .select((eb) => {
      const file = eb.selectFrom('certificate_files as f').select('f.sha256').whereRef('f.certificate_id', '=', 't.id');
      return eb
        .exists(file.where('f.sha256', '=', sha256))
        .$castTo<boolean>()
        .as('has');
    })
    .where('t.public_id', '=', publicId)
    .executeTakeFirst();
  return row?.has;
}

export async function getPublicCertificate(db: Db, publicId: string): Promise<PublicCertificateRow | undefined> {
  return await db
    .selectFrom('certificates as t')
    .innerJoin('journeys as j', 'j.key', 't.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .innerJoin('entries as x', 'x.id', 'c.id')
    .leftJoin('products as p', 'p.entry_id', 'c.id')
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
      't.revoked_at',
      't.revocation_reason',
      't.journey_key',
      't.status_position',
      't.issuer',
    ])
    .select((eb) =>
      eb
        .case()
        .when(eb.and([eb('c.type', '=', 'Public'), eb('x.status', '=', 'published'), eb('p.can_view', '=', 'public')]))
        .then(eb.ref('c.slug'))
        .end()
        .as('open_course_slug'),
    )
    .$narrowType<{ revocation_reason: RevocationReason | null }>()
    .where('t.public_id', '=', publicId)
    .executeTakeFirst();
}
