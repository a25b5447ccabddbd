import type { Endpoint } from '@officium/contract/endpoint';
import { makePerson } from '../factories/accounts.ts';
import { KINDS, type Variant } from './objects.ts';
import type { ObjectRow } from './objects.table.ts';
import { requestOf } from './requests.ts';
import { makeSubject, type Subject } from './subjects.ts';
import { type Cell, contextOf, operationOf, type Sent, type Fixture } from './fixture.ts';

/** A copy of a request with another value at one path, such as `id`, `body.communities.0` or `query.email`. */
function withValue(sent: Sent, place: string, value: string): Sent {
  const changed = structuredClone(sent);
  const path = /^(body|query)\./.test(place) ? place.split('.') : ['params', place];
  const last = path.pop()!; // a path has at least one part
  let at = changed as Record<string, any>; // any: bodies and queries of any shape
  for (const part of path) at = at[part] ??= {};
  at[last] = value;
  return changed;
}

/** A request of the table of objects, ready to send; `value` is the identifier used. */
export async function prepareVariant(
  fixture: Fixture,
  row: ObjectRow,
  variant: Variant,
): Promise<{ subject: Subject; endpoint: Endpoint; sent: Sent; value: string }> {
  const make = KINDS[row.kind]?.[variant];
  if (!make) throw new Error(`objects.ts has no ${variant} ${row.kind}.`);
  const context = contextOf(fixture, {});
  const subject = await makeSubject(context, row.subject);
  const cell: Cell = { fixture, ...context, me: subject.person ?? (await makePerson(fixture.test)) };
  const sent = await requestOf(row.request, cell);
  const value = await make(cell);
  return { subject, endpoint: operationOf(row.name), sent: withValue(sent, row.identifier, value), value };
}
