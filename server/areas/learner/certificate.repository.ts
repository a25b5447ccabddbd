import { sql, type RawBuilder } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { CertificateJson, PublicCertificateRow } from './learner.rows.ts';

/** A learner's certificate for a journey as JSON, or null. The two expressions give the journey's key and the learner's id. */
export function certificateJson(
  journeyKey: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
): RawBuilder<CertificateJson | null> {
  return sql<CertificateJson | null>`(
    select json_build_object(
      'id', held.id, 'publicId', held.public_id, 'name', held.name_on_certificate, 'issuedAt', held.issued_at)
    from certificates held
    where held.journey_key = ${journeyKey} and held.user_id = ${userId})`;
}

export async function getCertificate(
  db: Db,
  { userId, journeyKey }: { userId: string; journeyKey: string },
): Promise<CertificateJson | undefined> {
  const { rows } = await sql<{ certificate: CertificateJson | null }>`
    select ${certificateJson(sql`${journeyKey}::uuid`, sql`${userId}::uuid`)} as certificate`.execute(db);
  return rows[0]?.certificate ?? undefined;
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
};

/** Does nothing when the learner has one for this journey. */
export async function insertCertificate(db: Db, certificate: NewCertificate): Promise<void> {
  await db
    .insertInto('certificates')
    .values({
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
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'journey_key']).doNothing())
    .execute();
}

export async function getPublicCertificate(db: Db, publicId: string): Promise<PublicCertificateRow | undefined> {
  const { rows } = await sql<PublicCertificateRow>`
    select t.public_id, t.name_on_certificate, t.course_title, t.journey_title, t.locale, t.lessons, t.minutes,
      t.issued_at, t.revoked_at,
      case when c.type = 'Public' and x.status = 'published' and p.can_view = 'public' then c.slug end as open_course_slug
    from certificates t
    join journeys j on j.key = t.journey_key
    join courses c on c.id = j.course_id
    join entries x on x.id = c.id
    left join products p on p.entry_id = c.id
    where t.public_id = ${publicId}`.execute(db);
  return rows[0];
}
