import { textOf } from '../../form/fields.ts';

/** The fields of a lesson that the outline of a journey shows, and changes in the lesson's own draft. */
export type LessonParticulars = { minutes: number; mandatory: boolean };
export type LessonChange = { key: string; minutes: string; mandatory: boolean };

/** Names of the fields of a lesson. `was` holds what the page showed, so that only changes are saved. */
export const fieldsOf = (key: string) => ({
  minutes: `lesson_minutes_${key}`,
  mandatory: `lesson_mandatory_${key}`,
  was: `lesson_was_${key}`,
});

export const shownAs = ({ minutes, mandatory }: LessonParticulars) => `${minutes} ${mandatory ? 'on' : ''}`;

/** The lessons whose fields differ from what the page showed. */
export function changedLessons(fields: FormData): LessonChange[] {
  return [...fields.keys()].flatMap((name) => {
    const [, key] = /^lesson_was_(.+)$/.exec(name) ?? [];
    if (key === undefined) return [];
    const names = fieldsOf(key);
    const minutes = textOf(fields, names.minutes).trim() || '0';
    const mandatory = fields.has(names.mandatory);
    const isSame = textOf(fields, names.was) === `${minutes} ${mandatory ? 'on' : ''}`;
    return isSame ? [] : [{ key, minutes, mandatory }];
  });
}

export const isMinutes = (minutes: string) => /^\d{1,5}$/.test(minutes) && Number(minutes) <= 10_000;
