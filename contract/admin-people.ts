import { z } from 'zod';
import { Badges } from './community.ts';
import { Day, limitParam, offsetParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { RegistrationStatus, Role } from './people.ts';

export const PERSON_STATES = ['waiting', 'refused', 'unproven', 'inactive', 'active'] as const;
const State = z
  .enum(PERSON_STATES)
  .describe(
    'waiting: signed up with a proven address, awaiting a decision · refused: registration refused · unproven: address never confirmed · inactive: has the role inactive · active: everyone else',
  );
export const PEOPLE_SORTS = ['name', '-name', 'createdAt', '-createdAt'] as const;

const FoundPerson = z
  .object({
    id: Uuid,
    name: z.string(),
    email: z.string(),
    role: Role,
    state: State,
    organization: z.string().nullable(),
    secondFactor: z.boolean(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp.nullable().describe('Last use of a session that still exists; null: there is none'),
    rule: z.string().nullable().describe('Of a waiting person: the value of the rule that matches the address now'),
  })
  .meta({ id: 'FoundPerson' });

export const findPeople = endpoint({
  name: 'findPeople',
  service: 'admin',
  method: 'GET',
  path: '/people',
  auth: 'admin',
  extension: true,
  summary: 'Find people by name, address, role, state, organisation, cohort and last use',
  description:
    'Returns accounts whose name, job title and organization, or whose address, contain every word of `match`.',
  query: z.object({
    match: z.string().trim().max(200).default(''),
    role: Role.optional(),
    state: State.optional(),
    organization: text({ min: 1, max: 256, name: 'Organisation' }).optional().describe('The exact name, in any case'),
    cohort: Uuid.optional().describe('Only its members'),
    notSeenSince: Day.optional().describe('Only people without a session used since the start of this day in UTC'),
    sort: z.enum(PEOPLE_SORTS).default('name'),
    limit: limitParam(50),
    offset: offsetParam(),
  }),
  replies: { 200: z.object({ people: z.array(FoundPerson), total: z.int() }) },
});

const personParams = z.object({ id: Uuid });
const Sample = <T extends z.ZodRawShape>(shape: T) =>
  z.object({ total: z.int(), first: z.array(z.object(shape)).describe('At most ten, newest first') });

export const readPerson = endpoint({
  name: 'readPerson',
  service: 'admin',
  method: 'GET',
  path: '/people/{id}',
  auth: 'admin',
  extension: true,
  summary: "Read a person's administrative record",
  description: 'Never contains private messages. Each view is audited, at most hourly.',
  params: personParams,
  replies: {
    200: FoundPerson.extend({
      thumbnail: z.string().nullable(),
      jobTitle: z.string().nullable(),
      locale: z.string(),
      visibility: z.string(),
      badges: Badges,
      registration: z
        .object({ status: RegistrationStatus, reason: z.string().nullable() })
        .nullable()
        .describe('null for accounts that were not created by sign-up'),
      factors: z.object({ totp: z.boolean(), passkeys: z.int(), recoveryCodes: z.int() }),
      hasPassword: z.boolean(),
      communities: Sample({ slug: z.string(), title: z.string(), role: z.string() }),
      cohorts: Sample({ id: Uuid, name: z.string() }),
      enrolments: Sample({ course: z.string(), journey: z.string(), status: z.string() }),
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
  summary: 'List where a person is signed in',
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
  summary: 'Sign a person out everywhere',
  description: 'For your own account, keeps the session that sends the request.',
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
  summary: 'End one session of a person',
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
  summary: 'Reset the second factors of a person who lost them',
  description:
    'Removes the authenticator app, passkeys and recovery codes, ends all sessions and notifies the person by mail. Needs a recent sign-in. Your own factors are 403.',
  params: personParams,
  replies: { 200: z.object({ deleted: z.boolean() }) },
  errors: ['auth.recent_sign_in_required', 'people.own_rights'],
});
