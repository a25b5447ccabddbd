import type { Figure } from '@officium/contract/figures';
import type { MessageKey } from '../../message-keys.ts';

/** Label and explanation of each figure. */
export const FIGURE_TEXTS: Record<Figure, { label: MessageKey; text: MessageKey }> = {
  activePeople: { label: 'admin.overview_active_people', text: 'admin.overview_active_people_text' },
  newPeople: { label: 'admin.overview_new_people', text: 'admin.overview_new_people_text' },
  enrolments: { label: 'admin.overview_enrolments', text: 'admin.overview_enrolments_text' },
  lessons: { label: 'admin.overview_lessons', text: 'admin.overview_lessons_text' },
  journeys: { label: 'admin.overview_journeys', text: 'admin.overview_journeys_text' },
  certificates: { label: 'admin.overview_certificates', text: 'admin.overview_certificates_text' },
  posts: { label: 'admin.overview_posts', text: 'admin.overview_posts_text' },
  replies: { label: 'admin.overview_replies', text: 'admin.overview_replies_text' },
};

/** Selectable periods, in weeks. */
export const PERIODS = [4, 12, 52] as const;

export type FigureChoice = { weeks: string; cohort?: string; course?: string };

/** Reads the choice of figures from the address. */
export function choiceOf(url: URL): FigureChoice {
  const weeks = url.searchParams.get('weeks') ?? '';
  const cohort = url.searchParams.get('cohort');
  const course = url.searchParams.get('course');
  return {
    weeks: PERIODS.some((period) => String(period) === weeks) ? weeks : '12',
    ...(cohort ? { cohort } : {}),
    ...(course ? { course } : {}),
  };
}
