import { z } from 'zod';
import { SignUpCode } from './auth.ts';
import { Email, limitParam, LocaleCode, offsetParam, text, Timestamp, UserRef, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const accountErrors = {
  'account.connection_move': { status: 409, message: 'The connection cannot be changed in this way now.' },
  'account.connection_wait': { status: 409, message: 'They declined. You may ask again 30 days after that.' },
} as const;

export const VISIBILITIES = ['default', 'public', 'private'] as const;
export const Visibility = z
  .enum(VISIBILITIES)
  .describe('default: signed-in people · public: also in search · private: connections');

export const Location = z
  .strictObject({
    id: text({ max: 100, name: 'Location id' }),
    en: text({ max: 200, name: 'Location name' }),
    code: text({ max: 20, name: 'Location code' }),
  })
  .describe('A place: its id, English name and code');

/** Scope → name → badges. */
const BadgeScope = z.record(z.string().min(1).max(100), z.array(z.string().min(1).max(100)).max(100));
export const Badges = z.strictObject({ communities: BadgeScope.optional(), platform: BadgeScope.optional() });

/** A person as they stand beside what they say or do. */
export const Person = z
  .object({
    id: Uuid,
    name: z.string(),
    thumbnail: z.string().nullable(),
    jobTitle: z.string().nullable(),
    organization: z.string().nullable(),
  })
  .meta({ id: 'Person' });

const Picture = z.object({ full: z.string(), thumbnail: z.string() });

export const Profile = z
  .object({
    id: Uuid,
    name: z.string(),
    jobTitle: z.string().nullable(),
    organization: z.string().nullable(),
    location: z.object({ id: z.string(), en: z.string(), code: z.string() }).nullable(),
    onboardingState: z.string().nullable().describe("One's own only"),
    biography: z.string().nullable(),
    image: Picture.nullable(),
    badges: z.object({
      communities: z.record(z.string(), z.array(z.string())).optional(),
      platform: z.record(z.string(), z.array(z.string())).optional(),
    }),
    visibility: Visibility,
    joinedAt: Timestamp.nullable(),
    communities: z.array(z.object({ slug: z.string(), title: z.string(), role: z.enum(['owner', 'member']) })),
  })
  .meta({ id: 'Profile' });

const field = (name: string, max: number) => text({ max, name }).nullable().optional();

/** Changes what it names; null or an empty text clears. */
const ProfileWrite = z.strictObject({
  name: text({ min: 1, max: 100, name: 'Name' }).optional(),
  jobTitle: field('Job title', 200),
  organization: field('Organization', 200),
  location: Location.nullable().optional(),
  onboardingState: field('Onboarding state', 100),
  biography: field('Biography', 5000),
  image: z
    .strictObject({ full: z.string().min(1).max(2048), thumbnail: z.string().min(1).max(2048) })
    .nullable()
    .optional()
    .describe('The addresses an upload of a profile image answered, or of a picture kept elsewhere over https'),
});

export const createProfile = endpoint({
  name: 'createProfile',
  service: 'account',
  method: 'POST',
  path: '/accounts/me/profile',
  auth: 'user',
  summary: 'create my profile',
  description: 'An account has one profile from the start: a second call is 201 too and changes what it names.',
  body: ProfileWrite,
  replies: { 201: Profile },
});

export const updateProfile = endpoint({
  name: 'updateProfile',
  service: 'account',
  method: 'PUT',
  path: '/accounts/me/profile',
  auth: 'user',
  summary: 'update my profile',
  description: 'Changes only what it names; null or an empty text clears. Texts lose all markup.',
  body: ProfileWrite,
  replies: { 200: Profile },
});

export const readProfile = endpoint({
  name: 'readProfile',
  service: 'account',
  method: 'GET',
  path: '/accounts/{id}/profile',
  auth: 'user',
  summary: 'read a profile',
  description:
    'A private profile shows others the name only: every other field is null or empty. Communities are those the reader may see the members of. The e-mail address is never shown.',
  params: z.object({ id: UserRef }),
  query: z.object({
    locale: LocaleCode.optional(),
    as: z
      .literal('others')
      .optional()
      .describe('As it is seen by somebody who is signed in, not connected and in no community'),
  }),
  replies: { 200: Profile },
  errors: ['request.not_found'],
});

export const setLocale = endpoint({
  name: 'setLocale',
  service: 'account',
  method: 'PUT',
  path: '/accounts/me/locale',
  auth: 'user',
  summary: 'set my language',
  description: 'Also sets the cookie `locale`.',
  body: z.strictObject({ locale: LocaleCode }),
  replies: { 200: z.object({ locale: LocaleCode }) },
});

export const confirmMySignUp = endpoint({
  name: 'confirmMySignUp',
  service: 'account',
  method: 'POST',
  path: '/accounts/me/signup',
  auth: 'user',
  summary: 'confirm my sign-up code',
  description: 'As POST /signups of auth, for the account of the session; the address must be its own.',
  body: z.strictObject({
    email: Email,
    code: SignUpCode,
  }),
  replies: { 200: z.object({ redirectPath: z.string() }) },
  errors: ['auth.wrong_code', 'auth.codes_paused'],
});

export const setVisibility = endpoint({
  name: 'setVisibility',
  service: 'account',
  method: 'PUT',
  path: '/accounts/me/visibility',
  auth: 'user',
  summary: 'who may see my profile',
  body: z.strictObject({ visibility: Visibility }),
  replies: { 200: z.object({ visibility: Visibility }) },
});

/** How long an asker who was declined waits. */
export const CONNECTION_REST_DAYS = 30;

export const CONNECTION_STATUSES = ['accepted', 'cancelled', 'declined', 'pending', 'removed'] as const;
export const ConnectionStatus = z.enum(CONNECTION_STATUSES);

const Direction = z.enum(['outgoing', 'incoming']).describe('outgoing: the reader asked · incoming: the peer asked');

export const Connection = z
  .object({
    id: Uuid,
    peerId: Uuid.describe('The other of the two'),
    status: ConnectionStatus,
    direction: Direction,
    peer: Person,
    createdAt: Timestamp,
    updatedAt: Timestamp.describe('When the status last changed'),
  })
  .meta({ id: 'Connection' });

export const askToConnect = endpoint({
  name: 'askToConnect',
  service: 'account',
  method: 'POST',
  path: '/accounts/me/connections',
  auth: 'user',
  summary: 'ask to connect',
  description:
    'Two people have one connection. Asking who has asked oneself accepts; asking again is possible once the last request was cancelled or declined or the connection removed, for an asker who was declined 30 days later. Accounts that are unknown, unproven, inactive or erased are 404; a private profile may be asked.',
  body: z.strictObject({ peerId: Uuid }),
  replies: { 201: Connection },
  errors: ['request.not_found', 'account.connection_move', 'account.connection_wait'],
});

export const listConnections = endpoint({
  name: 'listConnections',
  service: 'account',
  method: 'GET',
  path: '/accounts/{id}/connections',
  auth: 'user',
  summary: 'list connections',
  description:
    "One's own, those that changed last first, of every status unless one is named. Nobody lists another's: any other id is 403.",
  params: z.object({ id: UserRef }),
  query: z.object({
    limit: limitParam(25),
    offset: offsetParam(),
    status: ConnectionStatus.optional(),
    direction: Direction.optional(),
    name: text({ max: 100, name: 'Name' })
      .optional()
      .describe("Part of the peer's name, in either case and with or without accents"),
  }),
  replies: { 200: z.object({ connections: z.array(Connection), total: z.int() }) },
  errors: ['auth.forbidden'],
});

export const readConnection = endpoint({
  name: 'readConnection',
  service: 'account',
  method: 'GET',
  path: '/accounts/me/connections/{id}',
  auth: 'user',
  summary: 'read one connection',
  description: "By its own id or the peer's.",
  params: z.object({ id: Uuid }),
  replies: { 200: Connection },
  errors: ['request.not_found'],
});

export const moveConnection = endpoint({
  name: 'moveConnection',
  service: 'account',
  method: 'PUT',
  path: '/accounts/me/connections/{peerId}',
  auth: 'user',
  summary: 'accept, decline, cancel or remove',
  description:
    'Whoever was asked accepts or declines, the asker cancels, either removes what was accepted. Every other move is 409; `pending` is reached by asking.',
  params: z.object({ peerId: Uuid }),
  body: z.strictObject({ status: ConnectionStatus }),
  replies: { 200: Connection },
  errors: ['request.not_found', 'account.connection_move'],
});
