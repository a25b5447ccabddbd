import type { Endpoint } from '@officium/contract/endpoint';
import { makePerson } from '../factories/accounts.ts';
import { KINDS, type Variant } from './objects.ts';
import type { ObjectRow } from './objects.table.ts';
import { requestOf } from './requests.ts';
import { makeSubject, type Subject } from './subjects.ts';
import { type Cell, groundOf, operationOf, type Sent, type World } from './world.ts';

/** A request with another value in one place, such as `id`, `body.communities.0` or `query.email`. */
function withValue(sent: Sent, place: string, value: string): Sent {
  const changed = structuredClone(sent);
  const path = /^(body|query)\./.test(place) ? place.split('.') : ['params', place];
  const last = path.pop()!; // a path has a part
  let at = changed as Record<string, any>; // any: whatever requests are made of
  for (const part of path) at = at[part] ??= {};
  at[last] = value;
  return changed;
}

/** A request of the table of objects, ready to be sent; `value` is what the identifier names. */
export async function prepareVariant(
  world: World,
  row: ObjectRow,
  variant: Variant,
): Promise<{ subject: Subject; endpoint: Endpoint; sent: Sent; value: string }> {
  const make = KINDS[row.kind]?.[variant];
  if (!make) throw new Error(`objects.ts does not know what a ${variant} ${row.kind} is.`);
  const ground = groundOf(world, {});
  const subject = await makeSubject(ground, row.subject);
  const cell: Cell = { world, ...ground, me: subject.person ?? (await makePerson(world.test)) };
  const sent = await requestOf(row.request, cell);
  const value = await make(cell);
  return { subject, endpoint: operationOf(row.name), sent: withValue(sent, row.identifier, value), value };
}
