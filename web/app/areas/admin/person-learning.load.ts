import { listCohorts } from '@officium/contract/admin';
import { listCatalogue } from '@officium/contract/content';
import { listBulkEnrolments } from '@officium/contract/people-records';
import { readTranscript } from '@officium/contract/transcripts';
import type { Locale } from '@officium/i18n/locales';
import type { Api } from '../../server/api.ts';

const LIMIT = '100';

/** Loads a person's learning, the enrolments given to the address, and the choices for further ones. */
export async function loadLearning(api: Api, { id, email, locale }: { id: string; email: string; locale: Locale }) {
  const [{ completed, current }, { bulkEnrolments }, { courses }, { cohorts }] = await Promise.all([
    api(readTranscript, { params: { id }, query: { locale } }),
    email ? api(listBulkEnrolments, { query: { email, limit: LIMIT } }) : { bulkEnrolments: [] },
    api(listCatalogue, { query: { locale } }),
    api(listCohorts, { query: { limit: LIMIT } }),
  ]);
  return {
    completed,
    current,
    enrolments: bulkEnrolments,
    courses: courses.map(({ slug, title }) => ({ value: slug, label: title })),
    cohorts: cohorts.map(({ id, name }) => ({ value: id, label: name })),
  };
}
