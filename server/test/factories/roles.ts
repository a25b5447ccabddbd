import type { AssignedRole, PlaceKind } from '@officium/contract/roles';
import type { TestApp } from '../app.ts';

export type GivenPlace = { role: AssignedRole; kind: PlaceKind; id?: string };

/** Assigns roles, each in one place. Sessions of the person that are already in use notice it within four seconds. */
export async function assignRoles(test: TestApp, person: { id: string }, given: readonly GivenPlace[]): Promise<void> {
  for (const { role, kind, id } of given)
    await test.ctx.db
      .insertInto('role_assignments')
      .values({ user_id: person.id, role, kind, ...(kind === 'installation' ? {} : { [`${kind}_id`]: id }) })
      .onConflict((conflict) => conflict.constraint('role_assignments_once').doNothing())
      .execute();
  test.ctx.sessions.forget(person.id);
}
