import { sql } from 'kysely';
import { openSession } from '#server/access/sessions.ts';
import type { Role, TokenPermissions } from '#server/access/viewer.ts';
import { type As, SERVICE_KEY, type TestApp, WEBHOOK_KEY } from '../app.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeMember, type TestCommunity } from '../factories/communities.ts';
import { enrol, type TestCourse } from '../factories/courses.ts';

/** The columns of the authority table, in order. */
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

/** The community and the course to which subjects are related. */
export type Context = { test: TestApp; community: TestCommunity; course: TestCourse };

export type Subject = {
  name: SubjectName;
  as: As;
  headers: Record<string, string>;
  /** Undefined for anonymous requests and machines. */
  person: TestPerson | undefined;
};

/** The parts that define a subject: the account, its membership, its enrolment and its session. */
type SubjectState = {
  role: Role;
  /** Membership of the community. `level` is granted in the database; without it the role decides. */
  member?: { role?: 'owner' | 'member'; level?: 1 | 3 };
  /** Enrolled in the journey of the course. */
  isEnrolled?: boolean;
  token?: (context: Context) => TokenPermissions;
  isExpired?: boolean;
};

const STATES: Partial<Record<SubjectName, SubjectState>> = {
  // The hardest cases: they still hold everything in the database.
  inactive: { role: 'inactive', member: {}, isEnrolled: true },
  'expired-session': { role: 'public-servant', member: {}, isEnrolled: true, isExpired: true },

  'non-public-servant': { role: 'non-public-servant' },
  'public-servant': { role: 'public-servant' },
  // The database has no course level below an enrolment, so the token sets it.
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
  // A moderator and learner whose token allows the reduced level in the community and no course.
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

/** Creates a person with the subject's role, membership and session. */
export async function makeSubject(context: Context, name: SubjectName): Promise<Subject> {
  const state = STATES[name];
  if (!state) return { name, ...(MACHINES[name] ?? { as: {}, headers: {} }), person: undefined };
  const { test, community, course } = context;
  const person = await makePerson(test, { role: state.role });
  if (state.member) await makeMember(test.ctx.db, community, person, state.member);
  if (state.isEnrolled) await enrol(test, person, course.journey);
  if (state.token) person.as = await narrow(test, person, state.token(context));
  if (state.isExpired)
    await sql`update sessions set expires_at = now() where user_id = ${person.id}`.execute(test.ctx.db);
  return { name, as: person.as, headers: {}, person };
}

/** Opens a session with these permissions. */
export async function narrow(test: TestApp, person: { id: string }, permissions: TokenPermissions): Promise<As> {
  return { token: await openSession(test.ctx.db, { userId: person.id, permissions }) };
}
