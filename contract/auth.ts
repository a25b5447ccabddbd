import { z } from 'zod';
import { booleanParam, Email, HttpUrl, LocaleCode, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

const WRONG_CODE = 'The code is not correct or no longer works.';

/** Reasons this service refuses a request, with their status. */
export const authErrors = {
  'auth.wrong_credentials': { status: 401, message: 'The e-mail address or the password is not correct.' },
  'auth.wrong_code': { status: 400, message: WRONG_CODE },
  'auth.codes_paused': {
    status: 429,
    message: 'Too many wrong codes were entered. Open the link in the e-mail instead.',
  },
  'auth.wrong_link': { status: 400, message: 'The link is not correct or no longer works.' },
  'auth.wrong_password': { status: 400, message: 'The password is not correct.' },
  'auth.password_used_before': { status: 400, message: 'Choose a password that is none of your last five.' },
  'auth.password_common': {
    status: 400,
    message: 'This password is among the first that attackers try. Choose another one.',
  },
  'auth.wrong_secret': { status: 400, message: 'The link to set a password is not correct or no longer works.' },
  'auth.email_taken': { status: 409, message: 'The e-mail address belongs to an account.' },
  'auth.not_mintable': { status: 403, message: 'No session is minted for an administrator.' },
} as const;

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 100;
/** Serves every wrong combination of the three ways to prove who sets a password. */
export const PASSWORD_PROOF_MESSAGE = 'Either oldPassword or onboardingState must be provided, but not both';

/** Counted in Unicode code points; not trimmed, and of any characters. What everybody would guess is refused later. */
export const NewPassword = z
  .string()
  .refine((value) => [...value].length >= PASSWORD_MIN, {
    message: `Password must have at least ${PASSWORD_MIN} characters`,
    abort: true,
  })
  .refine((value) => [...value].length <= PASSWORD_MAX, `Password must have at most ${PASSWORD_MAX} characters`)
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX, format: 'password' });

/** A password to compare with; whatever it is, it is only right or wrong. */
const GivenPassword = z
  .string()
  .min(1, 'Password must not be empty')
  .max(1024, 'Password must have at most 1024 characters')
  .meta({ format: 'password' });

/** A secret from a mail or a redirect. */
const Secret = z.string().min(1, 'Must not be empty').max(256);
/** A mailed code; the secret in the mailed link is longer. */
export const TYPED_CODE = /^\d{6}$/;
export const SignUpCode = z
  .string()
  .trim()
  .regex(/^(?:\d{6}|[\w-]{43})$/, WRONG_CODE)
  .describe('The six digits from the mail, or the `code` of the link in it');

const RedirectPath = z.string().describe('A path of ours to go on to');
const Created = z.object({ created: z.boolean() });
const Updated = z.object({ updated: z.boolean() });
const Deleted = z.object({ deleted: z.boolean() });
const NoFields = z.strictObject({});

export const readSession = endpoint({
  name: 'readSession',
  service: 'auth',
  method: 'GET',
  path: '/session',
  auth: 'none',
  extension: true,
  summary: 'who is signed in',
  replies: {
    200: z.object({
      viewer: z
        .object({
          id: Uuid,
          name: z.string(),
          email: z.string(),
          role: z.enum(['inactive', 'non-public-servant', 'public-servant', 'administrator']),
          locale: LocaleCode,
          localeChosen: z.boolean(),
          thumbnail: z.string().nullable(),
          limited: z.boolean().describe('The address is not confirmed yet'),
          secondFactor: z.boolean().describe('Sign-ins to the account need a second factor'),
          secondFactorDue: z
            .enum(['required', 'screens', 'optional'])
            .nullable()
            .describe('Of an administrator without a second factor: what ADMIN_SECOND_FACTOR asks for'),
        })
        .nullable(),
    }),
  },
});

export const listSessions = endpoint({
  name: 'listSessions',
  service: 'auth',
  method: 'GET',
  path: '/sessions',
  auth: 'user',
  extension: true,
  summary: 'where I am signed in',
  replies: {
    200: z.object({
      sessions: z.array(
        z.object({
          id: Uuid,
          current: z.boolean(),
          userAgent: z.string().nullable(),
          createdAt: Timestamp,
          lastSeenAt: Timestamp,
          expiresAt: Timestamp,
        }),
      ),
      total: z.int(),
    }),
  },
});

export const deleteSession = endpoint({
  name: 'deleteSession',
  service: 'auth',
  method: 'DELETE',
  path: '/sessions/{id}',
  auth: 'user',
  extension: true,
  summary: 'sign out somewhere else',
  description: 'A narrowed session may end only itself; any other session is 403.',
  params: z.object({ id: Uuid }),
  replies: { 200: Deleted },
});

/** Values outside the known levels are stored as they come and grant nothing. */
const TokenPermissions = z.strictObject({
  communities: z
    .record(z.string().max(256), z.union([z.number(), z.string().max(64)]))
    .optional()
    .describe(
      'Community slug → level, as a number 0 to 3 or by its name. Communities that are not named, or with none, are a stranger’s: no membership counts there, and nothing the person did there is shown or changed. Left out: all communities are as the database has them',
    ),
  courses: z
    .record(z.string().max(256), z.array(z.string().max(64)).max(20))
    .optional()
    .describe(
      'Course slug → permissions; an empty list is basic. Courses that are not named are a stranger’s: no grant, place or record counts there, and none can be taken. Left out: all courses are as the database has them',
    ),
});

export const exchangeToken = endpoint({
  name: 'exchangeToken',
  service: 'auth',
  method: 'GET',
  path: '/cookies/token',
  auth: 'none',
  summary: 'exchange a one-time token for a session and go on to redirectUrl',
  description:
    'The token works once, for 60 seconds. The answer goes on to redirectUrl when that is a path of ours or an address at a trusted origin, else to `/`. A wrong or used token is 400 and opens no session, and so is a request that a browser sends for a picture or a frame.',
  query: z.object({ token: Secret, redirectUrl: z.string().max(2048).optional() }),
  replies: { 302: null },
  errors: ['auth.wrong_link'],
});

export const mintToken = endpoint({
  name: 'mintToken',
  service: 'auth',
  method: 'POST',
  path: '/cookies/token',
  auth: 'service',
  summary: 'mint a session cookie for a token request',
  description:
    'For a service key only, and for an account that exists: `id` and `email` name it together, else 404; an administrator is 403. Who somebody is is then the service’s word: a second factor of the account is not asked for, and the session counts as one whose holder never signed in recently. `exp` (seconds since 1970, as in a JWT) ends the session early; `permissions` narrow what the account may do, on every path. `token` is exchanged once, within 60 seconds, at GET /cookies/token.',
  body: z.strictObject({
    id: Uuid,
    email: Email,
    name: text({ min: 1, max: 100, name: 'Name' }),
    exp: z.int().positive().max(253_402_300_799).optional().describe('Seconds since 1970'),
    permissions: TokenPermissions.optional(),
  }),
  replies: { 200: z.object({ generated: z.boolean(), token: z.string() }) },
  errors: ['auth.not_mintable', 'request.not_found'],
});

export const signOut = endpoint({
  name: 'signOut',
  service: 'auth',
  method: 'DELETE',
  path: '/cookies/me',
  auth: 'user',
  summary: 'sign out',
  description:
    '`logoutUrl` is returnTo, as it was given, when that is a path of ours or an address at a trusted origin, else `/`.',
  query: z.object({ returnTo: z.string().max(2048).optional() }),
  replies: { 200: z.object({ deleted: z.boolean(), logoutUrl: z.string() }) },
});

export const signIn = endpoint({
  name: 'signIn',
  service: 'auth',
  method: 'POST',
  path: '/logins',
  auth: 'none',
  summary: 'sign in with e-mail and password',
  description:
    'Sets the session cookie, for 30 days, and the cookie `device`, which marks a known browser. A wrong address and a wrong password are answered alike. 429 follows 10 wrong tries in 15 minutes for one account from one address of origin, 100 from that address for all accounts, or 60 in an hour for the account from all origins. Known browsers have a separate limit of 10 in 15 minutes. An account with a second factor gets no session yet but 403 `auth.second_factor_required`, with a `challenge` and the `methods` it can be proven by at POST /api/auth/logins/second-factor.',
  body: z.strictObject({ email: Email, password: GivenPassword }),
  replies: { 200: Created },
  errors: ['auth.wrong_credentials', 'auth.second_factor_required', 'request.too_many'],
});

export const requestLoginLink = endpoint({
  name: 'requestLoginLink',
  service: 'auth',
  method: 'POST',
  path: '/logins/passwordless',
  auth: 'none',
  summary: 'send a sign-in link',
  description:
    'The link leads to /login/confirm?token=…, which asks to confirm; opening it signs nobody in. An unknown address is answered alike and gets no mail.',
  body: z.strictObject({ email: Email, locale: LocaleCode.optional() }),
  replies: { 200: Created },
});

export const confirmLoginLink = endpoint({
  name: 'confirmLoginLink',
  service: 'auth',
  method: 'POST',
  path: '/logins/passwordless/confirm',
  auth: 'none',
  extension: true,
  summary: 'sign in with the token of a sign-in link',
  description:
    'Proves the address too, when it was not proven yet. The token works once, for 10 minutes. An account with a second factor gets no session yet but 403 `auth.second_factor_required`, with a `challenge` and the `methods` it can be proven by at POST /api/auth/logins/second-factor.',
  body: z.strictObject({ token: Secret }),
  replies: { 200: z.object({ redirectPath: RedirectPath }) },
  errors: ['auth.wrong_link', 'auth.second_factor_required'],
});

export const requestPasswordReset = endpoint({
  name: 'requestPasswordReset',
  service: 'auth',
  method: 'PUT',
  path: '/passwords/{email}',
  auth: 'none',
  summary: 'start a password reset',
  description:
    '`OK`: a link to /reset?forgotPassword=… was sent, or the address is unknown. `verify`: the address was never proven, a new code was sent. `pending`: a link was sent, and the account still awaits approval.',
  params: z.object({ email: Email }),
  body: NoFields,
  replies: { 200: z.object({ userState: z.enum(['OK', 'verify', 'pending']) }) },
});

export const confirmSignUp = endpoint({
  name: 'confirmSignUp',
  service: 'auth',
  method: 'POST',
  path: '/signups',
  auth: 'none',
  summary: 'confirm a sign-up with the e-mailed code',
  description:
    'Proves the address and signs in. redirectPath is /welcome?onboardingState=…, whose secret sets the first password, followed by returnTo=… when the sign-up named where to go on to. A code lives 10 minutes, works once, and dies after 5 wrong tries or when a new one is mailed. After 10 wrong codes a day for an address, or 200 an hour for the whole installation, codes are 429 `auth.codes_paused` and only links work: `code` may also be the 256-bit secret of the mailed link.',
  body: z.strictObject({ email: Email, code: SignUpCode }),
  replies: { 200: z.object({ redirectPath: RedirectPath }) },
  errors: ['auth.wrong_code', 'auth.codes_paused'],
});

export const resendSignUpCode = endpoint({
  name: 'resendSignUpCode',
  service: 'auth',
  method: 'POST',
  path: '/signups/code',
  auth: 'none',
  extension: true,
  summary: 'send the sign-up code again',
  description: 'An address that is unknown or proven already is answered alike and gets no mail.',
  body: z.strictObject({ email: Email }),
  replies: { 200: Created },
});

const shortText = (name: string, max = 200) => text({ max, name }).optional();

/** What is said of a person who gets an account. */
export const SignUp = z.strictObject({
  name: text({ min: 1, max: 100, name: 'Name' }),
  email: Email,
  jobTitle: shortText('Job title'),
  organization: shortText('Organization'),
  bioLink: HttpUrl.optional(),
  optIn: z.boolean().optional(),
  freeCourse: z.union([z.boolean(), text({ max: 200 })]).optional(),
  courseInterest: z.union([text({ max: 500 }), z.array(text({ max: 200 })).max(50)]).optional(),
  signupRedirectUrl: z
    .string()
    .max(2048)
    .optional()
    .describe('Where to go on to after the welcome; used when it is a path of ours or at a trusted origin'),
  clientId: shortText('Client id'),
  page: shortText('Page', 500),
  ref: shortText('Ref', 500),
  memberType: shortText('Member type'),
  locale: LocaleCode.optional(),
  courseSlug: shortText('Course'),
  journeySlug: shortText('Journey'),
});

export const createAccount = endpoint({
  name: 'createAccount',
  service: 'auth',
  method: 'POST',
  path: '/users',
  auth: 'none',
  summary: 'create an account',
  description:
    'Mails a 6-digit code and opens a session that may only confirm it, ask for it again and sign out. An address that has an account is answered alike and gets a mail that says so; one that was never proven takes the new details and gets a new code. `approved=true` counts from a service key or an administrator only: the account is then proven and a public servant, and its mail leads to /welcome?onboardingState=…. An administrator who approves needs a recent sign-in.',
  query: z.object({ approved: booleanParam.optional() }),
  body: SignUp,
  replies: { 200: Created },
  errors: ['auth.recent_sign_in_required'],
});

export const checkEmail = endpoint({
  name: 'checkEmail',
  service: 'auth',
  method: 'GET',
  path: '/users/{email}',
  auth: 'none',
  summary: 'does an account exist',
  description: 'Tells the truth, 10 times a minute for one address of origin.',
  params: z.object({ email: Email }),
  replies: { 200: z.object({ emailExists: z.boolean() }) },
  errors: ['request.too_many'],
});

export const deleteAccount = endpoint({
  name: 'deleteAccount',
  service: 'auth',
  method: 'DELETE',
  path: '/users/{email}',
  auth: 'user',
  summary: 'delete an account',
  description:
    "One's own, also when it is inactive; any for an administrator. Needs a recent sign-in; 403 in a narrowed session; 409 for the last administrator. Sessions, credentials, personal details, progress and certificates go at once; what was said to others stays under the name Deleted user.",
  params: z.object({ email: Email }),
  replies: { 200: Deleted },
  errors: [
    'auth.forbidden',
    'auth.not_proven',
    'auth.recent_sign_in_required',
    'people.last_administrator',
    'request.not_found',
  ],
});

export const changeEmail = endpoint({
  name: 'changeEmail',
  service: 'auth',
  method: 'PUT',
  path: '/users/me/email',
  auth: 'user',
  summary: 'change e-mail address',
  description:
    'The new address gets a link to /email/confirm?token=… and replaces the old one when that is confirmed; the old one is told. `updated` says that the change is under way. A new address that has a proven account is answered alike and gets a mail that says so. Narrowed sessions are 403.',
  body: z.strictObject({ newEmail: Email, password: GivenPassword }),
  replies: { 200: Updated },
  errors: ['auth.wrong_password', 'request.too_many'],
});

export const confirmEmailChange = endpoint({
  name: 'confirmEmailChange',
  service: 'auth',
  method: 'POST',
  path: '/users/me/email/confirm',
  auth: 'none',
  extension: true,
  summary: 'prove a new e-mail address with the token of its link',
  description:
    'All sessions end; the one that confirms, if it is of the same account, is replaced by a new one. An account approved by an auto-approval rule keeps that only when the new address matches a rule.',
  body: z.strictObject({ token: Secret }),
  replies: { 200: Updated },
  errors: ['auth.wrong_link', 'auth.email_taken'],
});

export const refreshIdentity = endpoint({
  name: 'refreshIdentity',
  service: 'auth',
  method: 'PUT',
  path: '/users/me/identity',
  auth: 'user',
  summary: "refresh the session's identity from the stored account",
  body: NoFields,
  replies: { 200: Updated },
});

export const setMemberType = endpoint({
  name: 'setMemberType',
  service: 'auth',
  method: 'PUT',
  path: '/users/me/member-type',
  auth: 'user',
  deprecated: true,
  summary: 'set my member type',
  description: 'Kept for older clients. The member type is stored and decides nothing.',
  body: z.strictObject({ memberType: shortText('Member type') }),
  replies: { 200: Updated },
});

export const setNickname = endpoint({
  name: 'setNickname',
  service: 'auth',
  method: 'PUT',
  path: '/users/me/nickname',
  auth: 'user',
  deprecated: true,
  summary: 'set my nickname',
  description: 'Kept for older clients. The nickname is stored and shown to nobody.',
  body: z.strictObject({ nickname: shortText('Nickname', 100) }),
  replies: { 200: Updated },
});

export const checkPassword = endpoint({
  name: 'checkPassword',
  service: 'auth',
  method: 'POST',
  path: '/users/me/password',
  auth: 'user',
  summary: 'is this my current password',
  description: 'Narrowed sessions are 403.',
  body: z.strictObject({ password: GivenPassword }),
  replies: { 200: z.object({ valid: z.boolean() }) },
  errors: ['request.too_many'],
});

/** What is no text is no proof, and as wrong as none or two. */
const Proof = z.string(PASSWORD_PROOF_MESSAGE);

const PasswordUpdate = z
  .strictObject({
    password: NewPassword,
    oldPassword: Proof.max(1024).optional().describe('The present password of the person signed in'),
    onboardingState: Proof.max(256).optional().describe('The secret that came with the confirmed sign-up'),
    forgotPassword: Proof.max(256).optional().describe('The secret from the mail'),
  })
  .superRefine((body, context) => {
    const proofs = [body.oldPassword, body.onboardingState, body.forgotPassword].filter((proof) => proof !== undefined);
    if (proofs.length !== 1)
      context.addIssue({ code: 'custom', message: PASSWORD_PROOF_MESSAGE, path: ['oldPassword'] });
  });

export const setPassword = endpoint({
  name: 'setPassword',
  service: 'auth',
  method: 'PUT',
  path: '/users/me/password',
  auth: 'none',
  summary: 'set a password (signed in, onboarding or forgotten)',
  description:
    'One of the last 5 passwords is 400 with errorCode PasswordHistoryError; a secret that matches nobody, or was used, is 400 with PasswordNoUserInfoError; a wrong oldPassword is 400 without errorCode, and 401 when nobody is signed in; so is a password that is known from leaks, or is the name or address of its owner or of the place. oldPassword is 403 in a narrowed session. All other sessions end; an onboardingState also signs in whoever is not, unless the account has a second factor.',
  body: PasswordUpdate,
  replies: { 200: Updated },
  errors: [
    'auth.wrong_password',
    'auth.password_used_before',
    'auth.password_common',
    'auth.wrong_secret',
    'auth.required',
    'auth.forbidden',
    'auth.not_proven',
    'auth.inactive',
    'request.too_many',
  ],
});
