import { z } from 'zod';
import { text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const secondFactorErrors = {
  'auth.recent_sign_in_required': {
    status: 403,
    message: 'Confirm your identity first: your last sign-in is more than 15 minutes ago.',
  },
  'auth.second_factor_required': { status: 403, message: 'Enter your second factor to continue.' },
  'auth.wrong_proof': { status: 400, message: 'This is not correct, or was used before.' },
  'auth.wrong_challenge': { status: 400, message: 'This sign-in expired or was attempted too often. Start again.' },
  'auth.no_such_proof': { status: 409, message: 'The account does not have this method.' },
} as const;

export const RECOVERY_CODES = 10;
export const MAX_PASSKEYS = 20;

/** Methods of the second factor. */
export const FACTOR_METHODS = ['totp', 'passkey', 'recovery-code'] as const;
export type FactorMethod = (typeof FACTOR_METHODS)[number];

const WRONG = 'This is not correct, or was used before.';
const Deleted = z.object({ deleted: z.boolean() });
const OneTimeCode = z
  .string()
  .transform((value) => value.replaceAll(/\s/g, ''))
  .refine((value) => /^\d{6}$/.test(value), WRONG)
  .meta({ pattern: '^\\d{6}$' })
  .describe('Six digits; each code works once');
const RecoveryCode = z
  .string()
  .trim()
  .min(1, WRONG)
  .max(40, WRONG)
  .describe('One of the ten recovery codes; case is ignored');
const Challenge = z
  .string()
  .min(1, 'Must not be empty')
  .max(256)
  .describe('The challenge from the error that asked for it');

const part = z.string().min(1).max(16_384);
/** A passkey response as `PublicKeyCredential.toJSON()` returns it. */
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
    .describe('Options for `navigator.credentials` as JSON (Web Authentication Level 3); valid once, for 5 minutes'),
});

const ONE = 'Exactly one proof must be given';
const isOne = (...proofs: unknown[]) => proofs.filter((proof) => proof !== undefined).length === 1;

const RecoveryCodes = z
  .array(z.string())
  .describe('Returned only once and stored as hashes. Each replaces a second factor once');

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
  summary: 'Read my second factors',
  replies: {
    200: z.object({
      totp: z.boolean().describe('An authenticator app is set up'),
      passkeys: z.array(Passkey),
      recoveryCodes: z.int().describe('Number of unused recovery codes'),
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
  summary: 'Create a secret for an authenticator app',
  description:
    'The secret becomes active once a code is confirmed; until then a repeated request returns another secret. 409 if an app is already active. Needs a recent sign-in.',
  replies: {
    201: z.object({
      secret: z.string().describe('The secret in base32, for typing'),
      uri: z.string().describe('`otpauth://totp/…`, for scanning'),
      qrCode: z.string().describe('The QR code of `uri`: a data: URL of an SVG'),
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
  summary: 'Confirm the authenticator app with a code',
  description: `Sign-ins need the app from now on. The first second factor returns ten recovery codes and ends all other sessions. ${RECENT}`,
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
  summary: 'Remove the authenticator app',
  description: `Removing the last second factor also deletes the recovery codes. ${RECENT}`,
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
  summary: 'Replace my recovery codes',
  description: `Returns ten new codes and invalidates the old ones. 409 without a second factor. ${RECENT}`,
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
  summary: 'Get options for creating a passkey',
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
  summary: 'Add a passkey',
  description: `A passkey signs in by itself, and is a second factor after a password. It works for this site only and must verify its user. The first second factor returns ten recovery codes and ends all other sessions. ${RECENT}`,
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
  summary: 'Rename a passkey',
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
  summary: 'Remove a passkey',
  description: `Removing the last second factor also deletes the recovery codes. ${RECENT}`,
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
  summary: 'Get options for signing in with a passkey',
  description: 'Names no account; the device knows its passkeys for this site.',
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
  summary: 'Sign in with a passkey',
  description:
    'Sets the session cookie. The device and its user verification count as two factors, so no other is asked for.',
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
  summary: 'Get passkey options for finishing a sign-in',
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
  summary: 'Finish a sign-in with the second factor',
  description:
    'Sets the session cookie. The challenge comes with the 403 `auth.second_factor_required` of the first step. It works once, for 10 minutes, and allows 5 wrong attempts. Each code and recovery code works once; after 10 wrong ones in 15 minutes the account is blocked for a while (429).',
  body: z
    .strictObject({
      challenge: Challenge,
      code: OneTimeCode.optional(),
      recoveryCode: RecoveryCode.optional(),
      passkey: PasskeyProof.optional(),
    })
    .refine(({ code, recoveryCode, passkey }) => isOne(code, recoveryCode, passkey), ONE),
  replies: { 200: z.object({ redirectPath: z.string().describe('A path on this site to continue with') }) },
  errors: ['auth.wrong_proof', 'auth.wrong_challenge', 'request.too_many'],
});

const INACTIVE_TOO = 'Also available to inactive accounts.';
const NOT_NARROWED = '403 in a narrowed session, which cannot perform any action that needs confirmation.';

export const readConfirmation = endpoint({
  name: 'readConfirmation',
  service: 'auth',
  method: 'GET',
  path: '/session/confirmation',
  auth: 'user',
  extension: true,
  summary: 'List how I can confirm my identity',
  description: INACTIVE_TOO,
  replies: {
    200: z.object({
      recent: z.boolean().describe('The last sign-in or confirmation was at most 15 minutes ago'),
      methods: z
        .array(z.enum(['password', 'mail', 'totp', 'passkey']))
        .describe('`mail` is offered only without a password'),
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
  summary: 'Mail me a code to confirm my identity',
  description: `Only for accounts without a password, else 409. Six digits, valid once, for 10 minutes and 5 attempts; a new code invalidates the previous one. ${NOT_NARROWED}`,
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
  summary: 'Get passkey options for confirming my identity',
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
  summary: 'Confirm my identity',
  description: `Send exactly one of the password, the mailed code, an app code or a passkey. The session then counts as recently signed in for 15 minutes. ${INACTIVE_TOO} ${NOT_NARROWED}`,
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
