import { sql } from 'kysely';
import { openSession } from '#server/access/sessions.ts';
import type { Role, TokenPermissions } from '#server/access/viewer.ts';
import { type As, SERVICE_KEY, type TestApp, WEBHOOK_KEY } from '../app.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeMember, type TestCommunity } from '../factories/communities.ts';
import { enrol, type TestCourse } from '../factories/courses.ts';

/** The columns of the authority table, in their order. */
export const SUBJECTS = [
  'anonymous',
  'inactive',
  'non-public-servant',
  'public-servant',
  'reduced',
  'member',
  'moderator',
  'owner',
  'administrator',
  'service-key',
  'webhook-key',
  'expired-session',
  'narrowed-token',
] as const;
export type SubjectName = (typeof SUBJECTS)[number];

/** Where a subject stands in some relation: one community and one course. */
export type Ground = { test: TestApp; community: TestCommunity; course: TestCourse };

export type Subject = {
  name: SubjectName;
  as: As;
  headers: Record<string, string>;
  /** Undefined: nobody, or a machine. */
  person: TestPerson | undefined;
};

/** What makes a person a subject: the account, its place in the community and the course, and its session. */
type Standing = {
  role: Role;
  /** A membership of the community. `level` is granted by the database; null: what the role gives. */
  member?: { role?: 'owner' | 'member'; level?: 1 | 3 };
  /** A place in the journey of the course. */
  isEnrolled?: boolean;
  token?: (ground: Ground) => TokenPermissions;
  isExpired?: boolean;
};

const STANDINGS: Partial<Record<SubjectName, Standing>> = {
  // The hardest cases of both: all they held is still in the database.
  inactive: { role: 'inactive', member: {}, isEnrolled: true },
  'expired-session': { role: 'public-servant', member: {}, isEnrolled: true, isExpired: true },

  'non-public-servant': { role: 'non-public-servant' },
  'public-servant': { role: 'public-servant' },
  // The database grants no level in a course below that of an enrolment, so there a token makes it.
  reduced: {
    role: 'public-servant',
    member: { level: 1 },
    isEnrolled: true,
    token: ({ course }) => ({ courses: { [course.slug]: ['reduced'] } }),
  },
  member: { role: 'public-servant', member: {}, isEnrolled: true },
  moderator: { role: 'public-servant', member: { level: 3 }, isEnrolled: true },
  owner: { role: 'public-servant', member: { role: 'owner' }, isEnrolled: true },
  administrator: { role: 'administrator' },
  // A moderator and learner whose session may be no more than reduced in the community, and nothing in any course.
  'narrowed-token': {
    role: 'public-servant',
    member: { level: 3 },
    isEnrolled: true,
    token: ({ community }) => ({ communities: { [community.slug]: 'reduced' }, courses: {} }),
  },
};

const MACHINES: Partial<Record<SubjectName, Pick<Subject, 'as' | 'headers'>>> = {
  'service-key': { as: { serviceKey: SERVICE_KEY }, headers: {} },
  'webhook-key': { as: {}, headers: { 'x-webhook-key': WEBHOOK_KEY } },
};

/** Somebody new who stands to this community and course as the subject's name says. */
export async function makeSubject(ground: Ground, name: SubjectName): Promise<Subject> {
  const standing = STANDINGS[name];
  if (!standing) return { name, ...(MACHINES[name] ?? { as: {}, headers: {} }), person: undefined };
  const { test, community, course } = ground;
  const person = await makePerson(test, { role: standing.role });
  if (standing.member) await makeMember(test.ctx.db, community, person, standing.member);
  if (standing.isEnrolled) await enrol(test, person, course.journey);
  if (standing.token) person.as = await narrow(test, person, standing.token(ground));
  if (standing.isExpired)
    await sql`update sessions set expires_at = now() where user_id = ${person.id}`.execute(test.ctx.db);
  return { name, as: person.as, headers: {}, person };
}

/** A session of the person's whose token says no more than this. */
export async function narrow(test: TestApp, person: { id: string }, permissions: TokenPermissions): Promise<As> {
  return { token: await openSession(test.ctx.db, { userId: person.id, permissions }) };
}
