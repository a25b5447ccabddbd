import { textOf } from '../../form/fields.ts';
import { refuse } from '../../server/api.ts';
import { isSameName } from '../../ui/same-name.ts';

/** The refusal of a form whose field `name` is not the name of the person; undefined if it is. */
export function refusalOfName(fields: FormData, name: string) {
  if (isSameName(textOf(fields, 'name'), name)) return undefined;
  return refuse({ message: '', issues: [{ path: 'name', message: 'Must be your name' }], values: {} });
}
