import { z } from 'zod';
import { booleanParam, Email, HttpUrl, LocaleCode, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { CAPABILITIES } from './capabilities.ts';

const WRONG_CODE = 'The code is not correct or no longer works.';

/** Errors of this service, with their status. */
export const authErrors = {
  'auth.wrong_credentials': { status: 401, message: 'The e-mail address or the password is not correct.' },
  'auth.wrong_code': { status: 400, message: WRONG_CODE },
  'auth.codes_paused': {
    status: 429,
    message: 'Too many wrong codes were entered. Open the link in the e-mail instead.',
  },
  'auth.wrong_link': { status: 400, message: 'The link is not correct or no longer works.' },
  'auth.wrong_password': { status: 400, message: 'The password is not correct.' },
  'auth.password_used_before': { status: 400, message: 'Choose a password that differs from your last five.' },
  'auth.password_common': {
    status: 400,
    message: 'This password is too common. Choose another one.',
  },
  'auth.wrong_secret': { status: 400, message: 'The link to set a password is not correct or no longer works.' },
  'auth.email_taken': { status: 409, message: 'An account with this e-mail address already exists.' },
  'auth.not_mintable': { status: 403, message: 'Sessions cannot be minted for administrators.' },
} as const;

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 100;
/** Used for every wrong combination of the three proofs. */
export const PASSWORD_PROOF_MESSAGE = 'Either oldPassword or onboardingState must be provided, but not both';

/** Counted in Unicode code points, not trimmed, any characters. Common passwords are refused later. */
export const NewPassword = z
  .string()
  .refine((value) => [...value.normalize('NFC')].length >= PASSWORD_MIN, {
    message: `Password must have at least ${PASSWORD_MIN} characters`,
    abort: true,
  })
  .refine(
    (value) => [...value.normalize('NFC')].length <= PASSWORD_MAX,
    `Password must have at most ${PASSWORD_MAX} characters`,
  )
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX, format: 'password' });

/** A password to verify; any value is allowed, right or wrong. */
const GivenPassword = z
  .string()
  .min(1, 'Password must not be empty')
  .max(1024, 'Password must have at most 1024 characters')
  .meta({ format: 'password' });

/** A secret from a mail or a redirect. */
const Secret = z.string().min(1, 'Must not be empty').max(256);
/** The code typed from the mail; the secret in the mailed link is longer. */
export const TYPED_CODE = /^\d{6}$/;
export const SignUpCode = z
  .string()
  .trim()
  .regex(/^(?:\d{6}|[\w-]{43})$/, WRONG_CODE)
  .describe('The six digits from the mail, or the `code` of the mailed link');

const RedirectPath = z.string().describe('A path on this site to continue with');
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
  summary: 'Read the current session',
  description: '`viewer` is null when nobody is signed in.',
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
          limited: z.boolean().describe('The e-mail address is not confirmed yet'),
          secondFactor: z.boolean().describe('The account has a second factor'),
          secondFactorDue: z
            .enum(['required', 'screens', 'optional'])
            .nullable()
            .describe(
              'For an administrator or holder of roles without a second factor: the value of ADMIN_SECOND_FACTOR',
            ),
          capabilities: z
            .array(z.enum(CAPABILITIES))
            .describe('What the roles of the account allow in some place; administrators have all of them'),
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
  summary: 'List where I am signed in',
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
  summary: 'End one of my sessions',
  description: 'A narrowed session can end only itself; any other session is 403.',
  params: z.object({ id: Uuid }),
  replies: { 200: Deleted },
});

/** Unknown values are stored as they are and grant nothing. */
const TokenPermissions = z.strictObject({
  communities: z
    .record(z.string().max(256), z.union([z.number(), z.string().max(64)]))
    .optional()
    .describe(
      'Community slug → level, as a number from 0 to 3 or by name. Communities that are missing or have level none are treated as for a stranger: memberships do not count, and nothing the user did there is shown or changed. Omitted: all communities as stored',
    ),
  courses: z
    .record(z.string().max(256), z.array(z.string().max(64)).max(20))
    .optional()
    .describe(
      'Course slug → permissions; an empty list means basic. Courses that are missing are treated as for a stranger: grants, enrolments and records do not count, and enrolling is not possible. Omitted: all courses as stored',
    ),
});

export const exchangeToken = endpoint({
  name: 'exchangeToken',
  service: 'auth',
  method: 'GET',
  path: '/cookies/token',
  auth: 'none',
  summary: 'Exchange a one-time token for a session and redirect',
  description:
    'The token works once, within 60 seconds. Redirects to `redirectUrl` if it is a path on this site or an address at a trusted origin, otherwise to `/`. A wrong or used token is 400 and opens no session, as is a request that a browser sends for an image or a frame.',
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
  summary: 'Mint a session for a token request',
  description:
    'Only for a service key and an existing account: `id` and `email` must identify it together, else 404; an administrator is 403. The service vouches for the user: no second factor is asked for, and the session never counts as recently signed in; roles assigned to the user count in it only after they confirm who they are. `exp` (seconds since 1970, as in a JWT) ends the session early; `permissions` narrow what the account may do, on every path. `token` can be exchanged once, within 60 seconds, at GET /cookies/token.',
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
  summary: 'Sign out',
  description:
    '`logoutUrl` is `returnTo` if that is a path on this site or an address at a trusted origin, otherwise `/`.',
  query: z.object({ returnTo: z.string().max(2048).optional() }),
  replies: { 200: z.object({ deleted: z.boolean(), logoutUrl: z.string() }) },
});

export const signIn = endpoint({
  name: 'signIn',
  service: 'auth',
  method: 'POST',
  path: '/logins',
  auth: 'none',
  summary: 'Sign in with e-mail and password',
  description:
    'Sets the session cookie for 30 days, and the `device` cookie, which marks a known browser. A wrong address and a wrong password get the same reply. Limits (429): 10 failures in 15 minutes for one account from one address, 100 from that address for all accounts, 60 an hour for the account from all addresses. Known browsers have a separate limit of 10 in 15 minutes. An account with a second factor gets no session but 403 `auth.second_factor_required`, with a `challenge` and the `methods` accepted by POST /api/auth/logins/second-factor.',
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
  summary: 'Send a sign-in link',
  description:
    'The link leads to /login/confirm?token=…, which asks for confirmation; opening it does not sign in. An unknown address gets the same reply and no mail.',
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
  summary: 'Sign in with the token of a sign-in link',
  description:
    'Also proves the address if it was not proven yet. The token works once, within 10 minutes. An account with a second factor gets no session but 403 `auth.second_factor_required`, with a `challenge` and the `methods` accepted by POST /api/auth/logins/second-factor.',
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
  summary: 'Start a password reset',
  description:
    '`OK`: a link to /reset?forgotPassword=… was sent, or the address is unknown. `verify`: the address was never proven and a new code was sent. `pending`: a link was sent and the account still awaits approval.',
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
  summary: 'Confirm a sign-up with the mailed code',
  description:
    'Proves the address and signs in. `redirectPath` is /welcome?onboardingState=…, whose secret sets the first password, followed by returnTo=… if the sign-up named a target. A code works once, for 10 minutes, and is invalidated by 5 wrong attempts or by a newer code. After 10 wrong codes a day for an address, or 200 an hour for the installation, codes answer 429 `auth.codes_paused` and only links work: `code` may also be the 256-bit secret of the mailed link.',
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
  summary: 'Resend the sign-up code',
  description: 'An unknown or already proven address gets the same reply and no mail.',
  body: z.strictObject({ email: Email }),
  replies: { 200: Created },
});

const shortText = (name: string, max = 200) => text({ max, name }).optional();

/** The details of a new account. */
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
    .describe('Target after the welcome page; used if it is a path on this site or at a trusted origin'),
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
  summary: 'Create an account',
  description:
    'Mails a 6-digit code and opens a limited session that can only confirm it, resend it and sign out. An address that already has an account gets the same reply and a mail that says so; an unproven one takes the new details and gets a new code. `approved=true` is honoured only from a service key or an administrator: the account is then proven and a public servant, and its mail leads to /welcome?onboardingState=…. An administrator needs a recent sign-in for it.',
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
  summary: 'Check whether an account exists',
  description: 'At most 10 requests a minute for one client address.',
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
  summary: 'Delete an account',
  description:
    'Your own account, also when inactive; any account for an administrator. Needs a recent sign-in; 403 in a narrowed session; 409 for the last administrator. Sessions, credentials, personal details, progress and certificates are deleted at once; posts and replies to others stay under the name Deleted user.',
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
  summary: 'Change my e-mail address',
  description:
    'Mails a link to /email/confirm?token=… to the new address and notifies the old one. The new address replaces the old one when the link is confirmed; `updated` means that the change has started. A new address that has a proven account gets the same reply and a mail that says so. Narrowed sessions are 403.',
  body: z.strictObject({ newEmail: Email, password: GivenPassword }),
  replies: { 200: Updated },
  errors: ['auth.wrong_password', 'request.too_many'],
});

export const confirmEmailChange = endpoint({
  name: 'confirmEmailChange',
  service: 'auth',
  method: 'POST',
  path: '/users/me/email/confirm',
  auth: 'user',
  extension: true,
  summary: 'Prove a new e-mail address with the token of its link',
  description:
    'Needs a session of the account that asked for the change, so that nobody proves an address for another person; narrowed sessions are 403. Ends all sessions and replaces the confirming one by a new one. An account approved by an auto-approval rule stays approved only if a rule matches the new address.',
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
  summary: "Refresh the session's identity from the stored account",
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
  summary: 'Set my member type',
  description: 'Kept for older clients. The member type is stored and has no effect.',
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
  summary: 'Set my nickname',
  description: 'Kept for older clients. The nickname is stored and never shown.',
  body: z.strictObject({ nickname: shortText('Nickname', 100) }),
  replies: { 200: Updated },
});

export const checkPassword = endpoint({
  name: 'checkPassword',
  service: 'auth',
  method: 'POST',
  path: '/users/me/password',
  auth: 'user',
  summary: 'Check my current password',
  description: 'Narrowed sessions are 403.',
  body: z.strictObject({ password: GivenPassword }),
  replies: { 200: z.object({ valid: z.boolean() }) },
  errors: ['request.too_many'],
});

/** Anything but a string counts as a wrong combination. */
const Proof = z.string(PASSWORD_PROOF_MESSAGE);

const PasswordUpdate = z
  .strictObject({
    password: NewPassword,
    oldPassword: Proof.max(1024).optional().describe('The current password of the signed-in user'),
    onboardingState: Proof.max(256).optional().describe('The secret from the confirmed sign-up'),
    forgotPassword: Proof.max(256).optional().describe('The secret from the password reset mail'),
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
  summary: 'Set a password (signed in, onboarding or forgotten)',
  description:
    '400 with errorCode PasswordHistoryError for one of the last 5 passwords; 400 with PasswordNoUserInfoError for an unknown or used secret. A wrong oldPassword is 400 without errorCode, or 401 when nobody is signed in. A password that is known from leaks, or that equals the name or address of the user or of the installation, is 400. oldPassword is 403 in a narrowed session. Ends all other sessions. An onboardingState also signs in a signed-out user, unless the account has a second factor.',
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
