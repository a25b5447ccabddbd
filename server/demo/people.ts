import { sql } from 'kysely';
import type { UserViewer } from '../access/viewer.ts';
import { insertRule } from '../areas/people/auto-approval.repository.ts';
import { addUser, getUserByEmail } from '../areas/auth/user.service.ts';
import type { Ctx } from '../ctx.ts';
import { newId } from '../db/client.ts';
import { DEMO_RULE, isDemoAccount, setPassword, type Passwords } from './accounts.ts';
import { readPeople, type DemoPerson } from './read.ts';

export type DemoPeople = Map<string, { person: DemoPerson; viewer: UserViewer }>;

/** Creates the demo's missing people. Returns all of them as viewers, by key, and the passwords just set. */
export async function ensurePeople(ctx: Ctx): Promise<{ people: DemoPeople; passwords: Passwords }> {
  const people: DemoPeople = new Map();
  const passwords: Passwords = new Map();
  if (ctx.config.isLocal) await insertRule(ctx.db, DEMO_RULE);
  for (const person of await readPeople()) {
    const { email, name, locale, role } = person;
    const account = {
      email,
      name,
      locale,
      visibility: person.visibility,
      biography: person.biography,
      isProven: true,
      job_title: person.jobTitle,
      organization: person.organization,
      locale_chosen: true,
      location: JSON.stringify(person.location),
      badges: JSON.stringify(person.badges),
    };
    const made = await addUser(ctx.db, account, { role, by: 'system' });
    if (made && isDemoAccount(email)) passwords.set(email, await setPassword(ctx, made.id));
    if (made) await sql`update users set created_at = now() - interval '90 days' where id = ${made.id}`.execute(ctx.db);
    const user = made ?? (await getUserByEmail(ctx.db, email));
    if (!user) throw new Error(`The demo account ${email} could not be made`);
    people.set(person.key, { person, viewer: toViewer(person, user.id) });
  }
  return { people, passwords };
}

/** Connects the demo's people. Connections start accepted, so that no notification is created. */
export async function ensureConnections(ctx: Ctx, people: DemoPeople): Promise<void> {
  for (const { person, viewer } of people.values())
    for (const key of person.connections) {
      const peer = personOf(people, key);
      await sql`
        insert into connections (id, low_id, high_id, asker_id, status, created_at, updated_at)
        values (${newId()}, least(${viewer.id}::uuid, ${peer.id}), greatest(${viewer.id}::uuid, ${peer.id}), ${viewer.id},
                'accepted', now() - interval '60 days', now() - interval '59 days')
        on conflict (low_id, high_id) do nothing`.execute(ctx.db);
    }
}

function toViewer({ email, name, locale, role }: DemoPerson, id: string): UserViewer {
  return {
    kind: 'user',
    id,
    email,
    name,
    locale,
    role,
    localeChosen: true,
    thumbnail: null,
    limited: false,
    permissions: null,
    sessionId: newId(),
    recentUntilMs: Infinity,
    hasSecondFactor: false,
  };
}

export function personOf(people: DemoPeople, key: string): UserViewer {
  const found = people.get(key);
  if (!found) throw new Error(`The demo names ${key}, who is not among its people`);
  return found.viewer;
}
