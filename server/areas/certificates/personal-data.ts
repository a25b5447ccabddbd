import { sql } from 'kysely';
import { JOURNEY } from '#server/areas/learner/personal-data.ts';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const certificates = definePersonalTable({
  table: 'certificates',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    journey_key: leftOut('exported as `journey`'),
    public_id: 'certificateId',
    name_on_certificate: 'name',
    course_title: 'course',
    journey_title: 'title',
    locale: 'language',
    lessons: 'lessons',
    minutes: 'minutes',
    issued_at: 'issuedAt',
    expires_at: 'expiresAt',
    follows: leftOut('refers to another of these rows'),
    site_version: leftOut('the look of the certificate'),
    assessments: 'assessments',
    issuer: leftOut('the name of the site at that time'),
    revoked_at: 'withdrawnAt',
    revocation_reason: 'withdrawnBecause',
    status_position: leftOut('a technical position in the status list'),
    replaced_by: leftOut('refers to another of these rows'),
  },
  also: () => ({ journey: JOURNEY }),
  order: 'issued_at',
  erase: { rows: 'deleted' },
});

export const certificateFiles = definePersonalTable({
  table: 'certificate_files',
  part: 'learning',
  isAbout: ({ id }) => sql`t.certificate_id in (select own.id from certificates own where own.user_id = ${id})`,
  columns: {
    certificate_id: leftOut('the certificate is exported in this part'),
    sha256: leftOut('a checksum of a file the holder has'),
    created_at: leftOut('technical timestamp of the row'),
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
