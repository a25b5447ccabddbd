import { z } from 'zod';
import { SignUpCode } from './auth.ts';
import { Email, HttpUrl, limitParam, LocaleCode, offsetParam, text, Timestamp, UserRef, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const accountErrors = {
  'account.connection_move': { status: 409, message: 'The connection cannot be changed in this way now.' },
  'account.connection_wait': { status: 409, message: 'This person declined. You can ask again 30 days later.' },
} as const;

export const VISIBILITIES = ['default', 'public', 'private'] as const;
export const Visibility = z
  .enum(VISIBILITIES)
  .describe('default: visible to signed-in users · public: also found by search · private: visible to connections');

export const Location = z
  .strictObject({
    id: text({ max: 100, name: 'Location id' }),
    en: text({ max: 200, name: 'Location name' }),
    code: text({ max: 20, name: 'Location code' }),
  })
  .describe('A location: its id, English name and code');

/** Scope → name → badges. */
const BadgeScope = z.record(z.string().min(1).max(100), z.array(z.string().min(1).max(100)).max(100));
export const Badges = z.strictObject({ communities: BadgeScope.optional(), platform: BadgeScope.optional() });

/** A user as shown next to their posts and actions. */
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
    onboardingState: z.string().nullable().describe('Only in your own profile'),
    biography: z.string().nullable(),
    bioLink: z.string().nullable().describe('Web address about the person'),
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

/** Changes only the given fields; null or an empty text clears a field. */
const ProfileWrite = z.strictObject({
  name: text({ min: 1, max: 100, name: 'Name' }).optional(),
  jobTitle: field('Job title', 200),
  organization: field('Organization', 200),
  location: Location.nullable().optional(),
  onboardingState: field('Onboarding state', 100),
  biography: field('Biography', 5000),
  bioLink: z
    .string()
    .trim()
    .refine((value) => value === '' || HttpUrl.safeParse(value).success, 'Must be an http or https address')
    .nullable()
    .optional(),
  image: z
    .strictObject({ full: z.string().min(1).max(2048), thumbnail: z.string().min(1).max(2048) })
    .nullable()
    .optional()
    .describe('The addresses returned by a profile image upload, or https addresses of an image elsewhere'),
});

export const createProfile = endpoint({
  name: 'createProfile',
  service: 'account',
  method: 'POST',
  path: '/accounts/me/profile',
  auth: 'user',
  summary: 'Create my profile',
  description:
    'Every account has a profile from the start, so repeated calls also answer 201 and change only the given fields.',
  body: ProfileWrite,
  replies: { 201: Profile },
});

export const updateProfile = endpoint({
  name: 'updateProfile',
  service: 'account',
  method: 'PUT',
  path: '/accounts/me/profile',
  auth: 'user',
  summary: 'Update my profile',
  description: 'Changes only the given fields; null or an empty text clears a field. Markup is removed from texts.',
  body: ProfileWrite,
  replies: { 200: Profile },
});

export const readProfile = endpoint({
  name: 'readProfile',
  service: 'account',
  method: 'GET',
  path: '/accounts/{id}/profile',
  auth: 'user',
  summary: 'Read a profile',
  description:
    'A private profile shows others only the name; all other fields are null or empty. `communities` lists those whose members the caller may see. The e-mail address is never included.',
  params: z.object({ id: UserRef }),
  query: z.object({
    locale: LocaleCode.optional(),
    as: z
      .literal('others')
      .optional()
      .describe('Show the profile as a signed-in user sees it who is not connected and shares no community'),
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
  summary: 'Set my language',
  description: 'Also sets the `locale` cookie.',
  body: z.strictObject({ locale: LocaleCode }),
  replies: { 200: z.object({ locale: LocaleCode }) },
});

export const confirmMySignUp = endpoint({
  name: 'confirmMySignUp',
  service: 'account',
  method: 'POST',
  path: '/accounts/me/signup',
  auth: 'user',
  summary: 'Confirm my sign-up code',
  description:
    'Like POST /api/auth/signups, for the account of the session. `email` must be the address of that account.',
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
  summary: 'Set who may see my profile',
  body: z.strictObject({ visibility: Visibility }),
  replies: { 200: z.object({ visibility: Visibility }) },
});

/** How long a user whose request was declined must wait before asking again. */
export const CONNECTION_REST_DAYS = 30;

export const CONNECTION_STATUSES = ['accepted', 'cancelled', 'declined', 'pending', 'removed'] as const;
export const ConnectionStatus = z.enum(CONNECTION_STATUSES);

const Direction = z
  .enum(['outgoing', 'incoming'])
  .describe('outgoing: requested by the caller · incoming: requested by the peer');

export const Connection = z
  .object({
    id: Uuid,
    peerId: Uuid.describe('The other user'),
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
  summary: 'Ask to connect',
  description:
    'Two users share one connection. Asking a user who has already asked you accepts their request. You can ask again after the last request was cancelled or declined or the connection was removed; after being declined, wait 30 days. An unknown, unproven, inactive or erased account is 404. Users with a private profile can be asked.',
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
  summary: 'List my connections, most recently changed first',
  description:
    "Includes every status unless `status` is given. Another user's connections cannot be listed: any other id is 403.",
  params: z.object({ id: UserRef }),
  query: z.object({
    limit: limitParam(25),
    offset: offsetParam(),
    status: ConnectionStatus.optional(),
    direction: Direction.optional(),
    name: text({ max: 100, name: 'Name' }).optional().describe("Part of the peer's name; case and accents are ignored"),
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
  summary: 'Read one connection',
  description: '`id` is the id of the connection or of the peer.',
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
  summary: 'Accept, decline, cancel or remove a connection',
  description:
    'The requested user accepts or declines, the requesting user cancels, and either removes an accepted connection. Any other transition is 409. `pending` is reached by asking.',
  params: z.object({ peerId: Uuid }),
  body: z.strictObject({ status: ConnectionStatus }),
  replies: { 200: Connection },
  errors: ['request.not_found', 'account.connection_move'],
});
