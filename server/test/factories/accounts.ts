import type { Role } from '../../access/viewer.ts';
import { hashPassword } from '#server/areas/auth/password-hash.service.ts';
import { updatePassword } from '../../areas/auth/user.repository.ts';
import { newId } from '../../db/client.ts';
import type { Answer, As, TestApp } from '../app.ts';

export type TestPerson = { id: string; email: string; name: string; as: As };

let counter = 0;

/** Creates an account with a session; by default a public servant with a proven address. */
export async function makePerson(
  test: TestApp,
  given: {
    name?: string;
    email?: string;
    role?: Role;
    locale?: string;
    isProven?: boolean;
    password?: string;
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
  if (given.password !== undefined)
    await updatePassword(test.ctx.db, { id, passwordHash: await hashPassword(given.password) });
  return { id, email, name, as: await test.signIn(id) };
}

/** The session that a response sets, or none. */
export function sessionIn(answer: Answer): As {
  const token = answer.cookies.find((cookie) => cookie.name === 'session')?.value;
  return token ? { token } : {};
}

/** The newest mail of a kind to an address, with its only link and its code. */
export async function lastMail(
  test: TestApp,
  recipient: string,
  kind: string,
): Promise<{ link: URL; code: string; locale: string; text: string }> {
  const mail = (await test.mails(recipient)).findLast((row) => row.kind === kind);
  if (!mail) throw new Error(`no mail ${kind} to ${recipient}`);
  const links = mail.body_text.match(/https?:\/\/\S+/g) ?? [];
  if (links.length !== 1) throw new Error(`expected one link in the mail, found ${links.length}`);
  return {
    link: new URL(links[0]),
    code: /^\d{6}$/m.exec(mail.body_text)?.[0] ?? '',
    locale: mail.locale,
    text: mail.body_text,
  };
}
