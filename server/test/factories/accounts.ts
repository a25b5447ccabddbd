import type { Role } from '../../access/viewer.ts';
import { newId } from '../../db/client.ts';
import type { As, TestApp } from '../app.ts';

export type TestPerson = { id: string; email: string; name: string; as: As };

let counter = 0;

/** An account with a session. A public servant with a proven address unless told otherwise. */
export async function makePerson(
  test: TestApp,
  given: {
    name?: string;
    email?: string;
    role?: Role;
    locale?: string;
    isProven?: boolean;
    visibility?: 'default' | 'public' | 'private';
  } = {},
): Promise<TestPerson> {
  counter += 1;
  const id = newId();
  const name = given.name ?? `Person ${counter}`;
  const email = given.email ?? `person-${counter}-${id.slice(-6)}@example.gov`;
  await test.ctx.db
    .insertInto('users')
    .values({
      id,
      name,
      email,
      role: given.role ?? 'public-servant',
      locale: given.locale ?? 'en',
      locale_chosen: given.locale !== undefined,
      visibility: given.visibility ?? 'default',
      email_proven_at: given.isProven === false ? null : new Date(),
    })
    .execute();
  return { id, email, name, as: await test.signIn(id) };
}
