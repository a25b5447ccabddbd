import { z } from 'zod';
import { text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const secondFactorErrors = {
  'auth.recent_sign_in_required': {
    status: 403,
    message: 'Confirm that it is you first: your last sign-in is more than 15 minutes ago.',
  },
  'auth.second_factor_required': { status: 403, message: 'Prove your second factor to go on.' },
  'auth.wrong_proof': { status: 400, message: 'This is not correct, or was used before.' },
  'auth.wrong_challenge': { status: 400, message: 'This sign-in took too long or was tried too often. Begin again.' },
  'auth.no_such_proof': { status: 409, message: 'The account has nothing that it could be proven by in this way.' },
} as const;

export const RECOVERY_CODES = 10;
export const MAX_PASSKEYS = 20;

/** What a second factor can be proven by. */
export const FACTOR_METHODS = ['totp', 'passkey', 'recovery-code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

const WRONG = 'This is not correct, or was used before.';
const Deleted = z.object({ deleted: z.boolean() });
const OneTimeCode = z
  .string()
  .transform((value) => value.replaceAll(/\s/g, ''))
  .refine((value) => /^\d{6}$/.test(value), WRONG)
  .meta({ pattern: '^\\d{6}$' })
  .describe('Six digits; each code counts once');
const RecoveryCode = z.string().trim().min(1, WRONG).max(40, WRONG).describe('One of the ten, in either case');
const Challenge = z.string().min(1, 'Must not be empty').max(256).describe('From the refusal that asked for it');

const part = z.string().min(1).max(16_384);
/** A passkey’s answer as `PublicKeyCredential.toJSON()` writes it. */
const credential = <R extends z.ZodRawShape>(response: R) =>
  z.object({
    id: part.max(1400),
    rawId: part.max(1400),
    type: z.literal('public-key'),
    response: z.object(response),
    authenticatorAttachment: z.string().max(64).nullable().optional(),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  });
export const NewPasskey = credential({
  clientDataJSON: part,
  attestationObject: part,
  transports: z.array(z.string().max(32)).max(10).optional(),
});
export const PasskeyProof = credential({
  clientDataJSON: part,
  authenticatorData: part,
  signature: part,
  userHandle: z.string().max(256).nullable().optional(),
});
const Options = z.object({
  options: z
    .record(z.string(), z.unknown())
    .describe('For `navigator.credentials`, as JSON of Web Authentication Level 3; good once, for 5 minutes'),
});

const ONE = 'Exactly one proof must be given';
const isOne = (...proofs: unknown[]) => proofs.filter((proof) => proof !== undefined).length === 1;

const RecoveryCodes = z
  .array(z.string())
  .describe('Shown this once, stored as hashes. Each takes the place of a second factor, once');

const Passkey = z
  .object({ id: Uuid, name: z.string(), createdAt: Timestamp, lastUsedAt: Timestamp.nullable() })
  .meta({ id: 'Passkey' });

export const readSecondFactor = endpoint({
  name: 'readSecondFactor',
  service: 'auth',
  method: 'GET',
  path: '/users/me/second-factor',
  auth: 'user',
  extension: true,
  summary: 'my second factors',
  replies: {
    200: z.object({
      totp: z.boolean().describe('An app gives codes for this account'),
      passkeys: z.array(Passkey),
      recoveryCodes: z.int().describe('How many are left'),
    }),
  },
});

const RECENT = 'Needs a recent sign-in (403 in a narrowed session); the person is notified by e-mail.';

export const startTotp = endpoint({
  name: 'startTotp',
  service: 'auth',
  method: 'POST',
  path: '/users/me/second-factor/totp',
  auth: 'user',
  extension: true,
  summary: 'a new secret for an app that gives codes',
  description:
    'It counts once a code of it is confirmed; until then asking again answers another secret. One that counts already is 409. Needs a recent sign-in.',
  replies: {
    201: z.object({
      secret: z.string().describe('In base32, to be typed'),
      uri: z.string().describe('`otpauth://totp/…`, to be scanned'),
      qrCode: z.string().describe('The same as a drawing: a data: URL of an SVG'),
    }),
  },
  errors: ['auth.recent_sign_in_required', 'request.conflict'],
});

export const confirmTotp = endpoint({
  name: 'confirmTotp',
  service: 'auth',
  method: 'POST',
  path: '/users/me/second-factor/totp/confirm',
  auth: 'user',
  extension: true,
  summary: 'prove that the app gives the right codes',
  description: `From here on sign-ins need it. A first second factor comes with ten recovery codes and ends all other sessions. ${RECENT}`,
  body: z.strictObject({ code: OneTimeCode }),
  replies: { 200: z.object({ recoveryCodes: RecoveryCodes.optional() }) },
  errors: ['auth.recent_sign_in_required', 'auth.wrong_proof', 'request.too_many'],
});

export const removeTotp = endpoint({
  name: 'removeTotp',
  service: 'auth',
  method: 'DELETE',
  path: '/users/me/second-factor/totp',
  auth: 'user',
  extension: true,
  summary: 'no longer use an app that gives codes',
  description: `The recovery codes go with the last second factor. ${RECENT}`,
  replies: { 200: Deleted },
  errors: ['auth.recent_sign_in_required', 'request.not_found'],
});

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  service: 'auth',
  method: 'POST',
  path: '/users/me/second-factor/recovery-codes',
  auth: 'user',
  extension: true,
  summary: 'ten new recovery codes in place of the others',
  description: `Without a second factor 409. ${RECENT}`,
  replies: { 201: z.object({ recoveryCodes: RecoveryCodes }) },
  errors: ['auth.recent_sign_in_required', 'auth.no_such_proof'],
});

export const startPasskey = endpoint({
  name: 'startPasskey',
  service: 'auth',
  method: 'POST',
  path: '/users/me/passkeys/options',
  auth: 'user',
  extension: true,
  summary: 'what a browser needs to make a passkey',
  description: `At most ${MAX_PASSKEYS} passkeys (409). Needs a recent sign-in.`,
  replies: { 200: Options },
  errors: ['auth.recent_sign_in_required', 'request.conflict'],
});

export const addPasskey = endpoint({
  name: 'addPasskey',
  service: 'auth',
  method: 'POST',
  path: '/users/me/passkeys',
  auth: 'user',
  extension: true,
  summary: 'add a passkey',
  description: `Signs in by itself, and is a second factor after a password. Made for our address only, and only where the device verifies its person. A first second factor comes with ten recovery codes and ends all other sessions. ${RECENT}`,
  body: z.strictObject({ name: text({ min: 1, max: 60, name: 'Name' }), passkey: NewPasskey }),
  replies: { 201: z.object({ id: Uuid, recoveryCodes: RecoveryCodes.optional() }) },
  errors: ['auth.recent_sign_in_required', 'auth.wrong_proof', 'request.conflict'],
});

const passkeyParams = z.object({ id: Uuid });

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  service: 'auth',
  method: 'PUT',
  path: '/users/me/passkeys/{id}',
  auth: 'user',
  extension: true,
  summary: 'name a passkey',
  params: passkeyParams,
  body: z.strictObject({ name: text({ min: 1, max: 60, name: 'Name' }) }),
  replies: { 200: z.object({ updated: z.boolean() }) },
  errors: ['request.not_found'],
});

export const removePasskey = endpoint({
  name: 'removePasskey',
  service: 'auth',
  method: 'DELETE',
  path: '/users/me/passkeys/{id}',
  auth: 'user',
  extension: true,
  summary: 'remove a passkey',
  description: `The recovery codes go with the last second factor. ${RECENT}`,
  params: passkeyParams,
  replies: { 200: Deleted },
  errors: ['auth.recent_sign_in_required', 'request.not_found'],
});

export const startPasskeySignIn = endpoint({
  name: 'startPasskeySignIn',
  service: 'auth',
  method: 'POST',
  path: '/logins/passkey/options',
  auth: 'none',
  extension: true,
  summary: 'what a browser needs to sign in with a passkey',
  description: 'Names no account: the device knows which passkeys it has for us.',
  replies: { 200: Options },
  errors: ['request.too_many'],
});

export const signInWithPasskey = endpoint({
  name: 'signInWithPasskey',
  service: 'auth',
  method: 'POST',
  path: '/logins/passkey',
  auth: 'none',
  extension: true,
  summary: 'sign in with a passkey',
  description:
    'Sets the session cookie. The device and what it verifies of its person are two factors, so no other is asked for.',
  body: z.strictObject({ passkey: PasskeyProof }),
  replies: { 200: z.object({ created: z.boolean() }) },
  errors: ['auth.wrong_proof', 'request.too_many'],
});

export const startFactorPasskey = endpoint({
  name: 'startFactorPasskey',
  service: 'auth',
  method: 'POST',
  path: '/logins/second-factor/options',
  auth: 'none',
  extension: true,
  summary: 'what a passkey needs to finish a sign-in',
  body: z.strictObject({ challenge: Challenge }),
  replies: { 200: Options },
  errors: ['auth.wrong_challenge', 'auth.no_such_proof', 'request.too_many'],
});

export const proveSecondFactor = endpoint({
  name: 'proveSecondFactor',
  service: 'auth',
  method: 'POST',
  path: '/logins/second-factor',
  auth: 'none',
  extension: true,
  summary: 'finish a sign-in with the second factor',
  description:
    'Sets the session cookie. The challenge comes with the 403 `auth.second_factor_required` of the first step, works for 10 minutes and once, and stands 5 wrong tries. A code or a recovery code counts once; 10 wrong ones in 15 minutes and the account waits (429).',
  body: z
    .strictObject({
      challenge: Challenge,
      code: OneTimeCode.optional(),
      recoveryCode: RecoveryCode.optional(),
      passkey: PasskeyProof.optional(),
    })
    .refine(({ code, recoveryCode, passkey }) => isOne(code, recoveryCode, passkey), ONE),
  replies: { 200: z.object({ redirectPath: z.string().describe('A path of ours to go on to') }) },
  errors: ['auth.wrong_proof', 'auth.wrong_challenge', 'request.too_many'],
});

const INACTIVE_TOO = 'An inactive account may too.';
const NOT_NARROWED = '403 in a narrowed session, which may do nothing that needs a confirmation.';

export const readConfirmation = endpoint({
  name: 'readConfirmation',
  service: 'auth',
  method: 'GET',
  path: '/session/confirmation',
  auth: 'user',
  extension: true,
  summary: 'how I can confirm that it is me',
  description: INACTIVE_TOO,
  replies: {
    200: z.object({
      recent: z.boolean().describe('The last sign-in or confirmation is at most 15 minutes ago'),
      methods: z.array(z.enum(['password', 'mail', 'totp', 'passkey'])).describe('`mail` only without a password'),
    }),
  },
});

export const mailConfirmationCode = endpoint({
  name: 'mailConfirmationCode',
  service: 'auth',
  method: 'POST',
  path: '/session/confirmation/mail',
  auth: 'user',
  extension: true,
  summary: 'mail me a code to confirm that it is me',
  description: `For accounts without a password; with one 409. Six digits, good once, for 10 minutes and 5 tries; a new code ends the one before. ${NOT_NARROWED}`,
  replies: { 200: z.object({ mailed: z.boolean() }) },
  errors: ['auth.no_such_proof', 'request.too_many'],
});

export const startConfirmationPasskey = endpoint({
  name: 'startConfirmationPasskey',
  service: 'auth',
  method: 'POST',
  path: '/session/confirmation/options',
  auth: 'user',
  extension: true,
  summary: 'what a passkey needs to confirm that it is me',
  description: NOT_NARROWED,
  replies: { 200: Options },
  errors: ['auth.no_such_proof', 'request.too_many'],
});

export const confirmSession = endpoint({
  name: 'confirmSession',
  service: 'auth',
  method: 'POST',
  path: '/session/confirmation',
  auth: 'user',
  extension: true,
  summary: 'confirm that it is me',
  description: `By exactly one of the password, the mailed code, a code of the app, or a passkey. This session then counts as signed in recently for 15 minutes. ${INACTIVE_TOO} ${NOT_NARROWED}`,
  body: z
    .strictObject({
      password: z.string().min(1, 'Password must not be empty').max(1024).meta({ format: 'password' }).optional(),
      mailCode: OneTimeCode.optional(),
      code: OneTimeCode.optional(),
      passkey: PasskeyProof.optional(),
    })
    .refine(({ password, mailCode, code, passkey }) => isOne(password, mailCode, code, passkey), ONE),
  replies: { 200: z.object({ confirmed: z.boolean() }) },
  errors: ['auth.wrong_password', 'auth.wrong_proof', 'request.too_many'],
});
