import { textOf } from '../../form/fields.ts';
import { DETAILS } from './cohort-fields.tsx';

/** The submitted cohort without its name; empty fields become null. */
export function cohortOf(fields: FormData) {
  const details = Object.fromEntries(DETAILS.map((name) => [name, textOf(fields, name).trim() || null]));
  return { type: textOf(fields, 'type'), primaryPartner: textOf(fields, 'primaryPartner'), ...details };
}
