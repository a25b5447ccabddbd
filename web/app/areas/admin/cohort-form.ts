import { textOf } from '../../form/fields.ts';
import { DETAILS } from './cohort-fields.tsx';

/** What the form of a cohort says, except its name; what was left empty is nothing. */
export function cohortOf(fields: FormData) {
  const details = Object.fromEntries(DETAILS.map((name) => [name, textOf(fields, name).trim() || null]));
  return { type: textOf(fields, 'type'), primaryPartner: textOf(fields, 'primaryPartner'), ...details };
}
