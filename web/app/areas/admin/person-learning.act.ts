import { addCohortUser } from '@officium/contract/admin';
import { readPerson } from '@officium/contract/admin-people';
import { enrolPerson } from '@officium/contract/enrolment';
import type { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { endOfDay } from './enrolment-end.ts';
import { saveEnd } from './enrolment-end.act.ts';

type Acting = Awaited<ReturnType<typeof act>>;

export const isOfLearning = (intent: string) => /^(enrol|cohort|until-.*)$/.test(intent);

/** Enrols a person in a course, adds them to a cohort, or changes the end of an enrolment. */
export async function changeLearning(acting: Acting, id: string) {
  const { api, attempt, fields } = acting;
  const intent = textOf(fields, 'intent');
  if (intent.startsWith('until-')) return (await saveEnd(acting)).done;
  const { email } = await api(readPerson, { params: { id } });
  const cohort = textOf(fields, 'cohort');
  if (intent === 'cohort') return await attempt(addCohortUser, { params: { id: cohort }, body: { email } });
  const enrolmentMetadata = { expiresOn: endOfDay(textOf(fields, 'expiresOn')) };
  const enrolments = [{ type: 'courses' as const, slug: textOf(fields, 'course'), enrolmentMetadata }];
  return await attempt(enrolPerson, { body: { email, cohortIds: [cohort], enrolments } });
}
