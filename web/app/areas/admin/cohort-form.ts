import { textOf } from '../../form/fields.ts';
import { DETAILS } from './cohort-fields.tsx';

/** The submitted cohort without its name; empty fields become null. */
export function cohortOf(fields: FormData) {
  const empty = (name: string) => textOf(fields, name).trim() || null;
  const details = Object.fromEntries(DETAILS.map((name) => [name, empty(name)]));
  return {
    type: textOf(fields, 'type'),
    primaryPartner: textOf(fields, 'primaryPartner'),
    beginsOn: empty('beginsOn'),
    endsOn: empty('endsOn'),
    ...details,
  };
}
