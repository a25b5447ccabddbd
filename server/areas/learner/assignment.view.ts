import type { Locale } from '@officium/contract/common';
import type { Assignment } from '@officium/contract/learner';
import type { z } from 'zod';
import { pickText } from '#server/text/localised.ts';
import type { AssignedRow } from './assignment.repository.ts';
import { toCover } from './enrolment.view.ts';

export function toAssignment(row: AssignedRow, locale: Locale): z.output<typeof Assignment> {
  return {
    kind: row.kind,
    slug: row.slug,
    title: pickText(row.title, locale).text,
    course:
      row.course_slug === null || row.course_title === null
        ? null
        : { slug: row.course_slug, title: pickText(row.course_title, locale).text },
    cover: toCover(row.cover_key, row.cover_alt, locale),
    minutes: row.minutes,
    cohort: { name: row.cohort_name, ...(row.begins_on === null ? {} : { beginsOn: row.begins_on }) },
    dueOn: row.due_on,
  };
}
