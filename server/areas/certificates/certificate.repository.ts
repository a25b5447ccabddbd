import type { RevocationReason } from '@officium/contract/learner';
import { sql, type RawBuilder } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { CertificateJson, PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';

/** A learner's certificate for a journey as JSON, or null. The two expressions give the journey's key and the learner's id. */
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
  await sql`
    with place as (insert into credential_statuses default values returning position)
    insert into certificates (id, user_id, journey_key, public_id, name_on_certificate, course_title, journey_title, locale,
      lessons, minutes, status_position)
    select ${newId()}::uuid, ${certificate.userId}::uuid, ${certificate.journeyKey}::uuid, ${certificate.publicId},
      ${certificate.name}, ${certificate.courseTitle}, ${certificate.journeyTitle}, ${certificate.locale},
      ${certificate.lessons}::integer, ${certificate.minutes}::integer, position
    from place
    on conflict (user_id, journey_key) where replaced_by is null do nothing`.execute(db);
}

type OwnCertificateRow = {
  id: string;
  name: string;
  revoked_at: Date | null;
  corrections: number;
  course_slug: string;
};

/** A learner's certificate, held until the end of the transaction; undefined when theirs has another number. */
export async function lockOwnCertificate(
  db: Db,
  { userId, publicId }: { userId: string; publicId: string },
): Promise<OwnCertificateRow | undefined> {
  const { rows } = await sql<OwnCertificateRow>`
    select t.id, t.name_on_certificate as name, t.revoked_at,
      (select count(*)::integer from certificates old
       where old.user_id = t.user_id and old.journey_key = t.journey_key and old.replaced_by is not null) as corrections,
      c.slug as course_slug
    from certificates t join journeys j on j.key = t.journey_key join courses c on c.id = j.course_id
    where t.public_id = ${publicId} and t.user_id = ${userId}
    for update of t`.execute(db);
  return rows[0];
}

/** Puts a new one of the same claims and date, under another name, in the place of one that was locked. */
export async function replaceCertificate(
  db: Db,
  { id, publicId, name }: { id: string; publicId: string; name: string },
): Promise<void> {
  const replacement = newId();
  await revokeRow(db, { id, reason: 'name_corrected' });
  await sql`update certificates set replaced_by = ${replacement} where id = ${id}`.execute(db);
  await sql`
    with place as (insert into credential_statuses default values returning position)
    insert into certificates (id, user_id, journey_key, public_id, name_on_certificate, course_title, journey_title, locale,
      lessons, minutes, issued_at, status_position)
    select ${replacement}::uuid, t.user_id, t.journey_key, ${publicId}, ${name}, t.course_title, t.journey_title, t.locale,
      t.lessons, t.minutes, t.issued_at, place.position
    from certificates t cross join place where t.id = ${id}`.execute(db);
}

/** Withdraws a certificate; false when it had been. Undefined when there is none of this number. */
export async function revokeByNumber(
  db: Db,
  { publicId, reason }: { publicId: string; reason: RevocationReason },
): Promise<{ id: string; isNew: boolean } | undefined> {
  const { rows } = await sql<{ id: string; revoked_at: Date | null }>`
    select id, revoked_at from certificates where public_id = ${publicId} for update`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  if (found.revoked_at === null) await revokeRow(db, { id: found.id, reason });
  return { id: found.id, isNew: found.revoked_at === null };
}

async function revokeRow(db: Db, { id, reason }: { id: string; reason: RevocationReason }): Promise<void> {
  await sql`
    with revoked as (
      update certificates set revoked_at = now(), revocation_reason = ${reason} where id = ${id}
      returning status_position)
    update credential_statuses s set revoked_at = now() from revoked where s.position = revoked.status_position`.execute(
    db,
  );
}

/** Remembers a PDF by its SHA-256. */
export async function insertCertificateFile(
  db: Db,
  { publicId, sha256 }: { publicId: string; sha256: Buffer },
): Promise<void> {
  await sql`
    insert into certificate_files (certificate_id, sha256)
    select id, ${sha256} from certificates where public_id = ${publicId}
    on conflict do nothing`.execute(db);
}

/** Whether a PDF of this SHA-256 was handed out; undefined when there is no certificate of this number. */
export async function hasCertificateFile(
  db: Db,
  { publicId, sha256 }: { publicId: string; sha256: Buffer },
): Promise<boolean | undefined> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from certificate_files f where f.certificate_id = t.id and f.sha256 = ${sha256}) as has
    from certificates t where t.public_id = ${publicId}`.execute(db);
  return rows[0]?.has;
}

export async function getPublicCertificate(db: Db, publicId: string): Promise<PublicCertificateRow | undefined> {
  const { rows } = await sql<PublicCertificateRow>`
    select t.id, t.public_id, t.name_on_certificate, t.course_title, t.journey_title, t.locale, t.lessons, t.minutes,
      t.issued_at, t.revoked_at, t.revocation_reason, t.journey_key, t.status_position,
      case when c.type = 'Public' and x.status = 'published' and p.can_view = 'public' then c.slug end as open_course_slug
    from certificates t
    join journeys j on j.key = t.journey_key
    join courses c on c.id = j.course_id
    join entries x on x.id = c.id
    left join products p on p.entry_id = c.id
    where t.public_id = ${publicId}`.execute(db);
  return rows[0];
}
