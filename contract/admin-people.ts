import { z } from 'zod';
import { Badges } from './community.ts';
import { limitParam, offsetParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { RegistrationStatus, Role } from './people.ts';

export const PERSON_STATES = ['waiting', 'refused', 'unproven', 'inactive', 'active'] as const;
const State = z
  .enum(PERSON_STATES)
  .describe(
    'waiting: signed up, the address is proven, a decision on the registration is due; refused: it was refused; unproven: the address was never confirmed; inactive: has the role inactive; active: everybody else',
  );
export const PEOPLE_SORTS = ['name', '-name', 'createdAt', '-createdAt'] as const;

const Found = z
  .object({
    id: Uuid,
    name: z.string(),
    email: z.string(),
    role: Role,
    state: State,
    organization: z.string().nullable(),
    secondFactor: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: 'FoundPerson' });

export const findPeople = endpoint({
  name: 'findPeople',
  service: 'admin',
  method: 'GET',
  path: '/people',
  auth: 'admin',
  extension: true,
  summary: 'find people by name, address, role and state',
  description: 'Accounts whose name, job title and organization, or whose address, hold each of the words.',
  query: z.object({
    match: z.string().trim().max(200).default(''),
    role: Role.optional(),
    state: State.optional(),
    sort: z.enum(PEOPLE_SORTS).default('name'),
    limit: limitParam(50),
    offset: offsetParam(),
  }),
  replies: { 200: z.object({ people: z.array(Found), total: z.int() }) },
});

const personParams = z.object({ id: Uuid });
const Some = <T extends z.ZodRawShape>(shape: T) =>
  z.object({ total: z.int(), first: z.array(z.object(shape)).describe('At most ten, the latest first') });

export const readPerson = endpoint({
  name: 'readPerson',
  service: 'admin',
  method: 'GET',
  path: '/people/{id}',
  auth: 'admin',
  extension: true,
  summary: 'one person as administrators see them',
  description: 'Never what they wrote to somebody in private. Noted once an hour.',
  params: personParams,
  replies: {
    200: Found.extend({
      thumbnail: z.string().nullable(),
      jobTitle: z.string().nullable(),
      locale: z.string(),
      visibility: z.string(),
      badges: Badges,
      registration: z
        .object({ status: RegistrationStatus, reason: z.string().nullable() })
        .nullable()
        .describe('null for who did not sign up by themselves'),
      factors: z.object({ totp: z.boolean(), passkeys: z.int(), recoveryCodes: z.int() }),
      hasPassword: z.boolean(),
      lastSeenAt: Timestamp.nullable(),
      communities: Some({ slug: z.string(), title: z.string(), role: z.string() }),
      cohorts: Some({ id: Uuid, name: z.string() }),
      enrolments: Some({ course: z.string(), journey: z.string(), status: z.string() }),
      posts: z.int(),
      certificates: z.int(),
    }).meta({ id: 'PersonForAdministrators' }),
  },
});

export const listPersonSessions = endpoint({
  name: 'listPersonSessions',
  service: 'admin',
  method: 'GET',
  path: '/people/{id}/sessions',
  auth: 'admin',
  extension: true,
  summary: 'where a person is signed in',
  params: personParams,
  replies: {
    200: z.object({
      sessions: z.array(
        z.object({ id: Uuid, userAgent: z.string().nullable(), createdAt: Timestamp, lastSeenAt: Timestamp }),
      ),
      total: z.int(),
    }),
  },
});

export const endPersonSessions = endpoint({
  name: 'endPersonSessions',
  service: 'admin',
  method: 'DELETE',
  path: '/people/{id}/sessions',
  auth: 'admin',
  extension: true,
  summary: 'sign a person out everywhere',
  description: 'Of oneself all but the session that asks.',
  params: personParams,
  replies: { 200: z.object({ deleted: z.boolean() }) },
});

export const endPersonSession = endpoint({
  name: 'endPersonSession',
  service: 'admin',
  method: 'DELETE',
  path: '/people/{id}/sessions/{sessionId}',
  auth: 'admin',
  extension: true,
  summary: 'sign a person out in one place',
  params: personParams.extend({ sessionId: Uuid }),
  replies: { 200: z.object({ deleted: z.boolean() }) },
});

export const resetSecondFactor = endpoint({
  name: 'resetSecondFactor',
  service: 'admin',
  method: 'DELETE',
  path: '/people/{id}/second-factor',
  auth: 'admin',
  extension: true,
  summary: 'take the second factors of somebody who lost them away',
  description:
    'App, passkeys and recovery codes go, all sessions end, and the person is told by mail. Never one’s own (403), and only after a recent sign-in.',
  params: personParams,
  replies: { 200: z.object({ deleted: z.boolean() }) },
  errors: ['auth.recent_sign_in_required', 'people.own_rights'],
});
