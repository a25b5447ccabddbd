import { sql } from 'kysely';
import { JOURNEY } from '#server/areas/learner/personal-data.ts';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const certificates = definePersonalTable({
  table: 'certificates',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
    user_id: leftOut('the person'),
    journey_key: leftOut('`journey` names it'),
    public_id: 'certificateId',
    name_on_certificate: 'name',
    course_title: 'course',
    journey_title: 'title',
    locale: 'language',
    lessons: 'lessons',
    minutes: 'minutes',
    issued_at: 'issuedAt',
    revoked_at: 'withdrawnAt',
    revocation_reason: 'withdrawnBecause',
    status_position: leftOut('a place in the list of what was withdrawn'),
    replaced_by: leftOut('another of these rows'),
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
    certificate_id: leftOut('the certificate is in this part'),
    sha256: leftOut('of a file its holder has'),
    created_at: leftOut('of the row'),
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
