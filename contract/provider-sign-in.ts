import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const providerSignInErrors = {
  'auth.no_provider': { status: 404, message: 'Sign-in by an organisation is not configured.' },
  'auth.provider_refused': { status: 403, message: 'Your organisation did not confirm who you are.' },
  'auth.provider_unproven': {
    status: 403,
    message: 'Your organisation did not verify your e-mail address, so you cannot sign in with it.',
  },
  'auth.provider_administrator': {
    status: 403,
    message:
      'This address belongs to an account with rights in the administration. Sign in another way, then connect your organisation in your settings.',
  },
  'auth.provider_unavailable': {
    status: 503,
    message: "Your organisation's sign-in is not responding. Try again later, or sign in another way.",
  },
} as const;

const Attempt = z
  .string()
  .min(1, 'Must not be empty')
  .max(256)
  .describe('Secret of the browser that starts the sign-in; works once, within 10 minutes');

export const readSignInWays = endpoint({
  name: 'readSignInWays',
  service: 'auth',
  method: 'GET',
  path: '/logins/ways',
  auth: 'none',
  extension: true,
  summary: 'List additional ways to sign in',
  description: 'Beside password, mail and passkey.',
  replies: {
    200: z.object({
      provider: z
        .object({ name: z.string() })
        .nullable()
        .describe("The organisation's OpenID Connect provider, if configured"),
    }),
  },
});

export const startProviderSignIn = endpoint({
  name: 'startProviderSignIn',
  service: 'auth',
  method: 'POST',
  path: '/logins/provider/start',
  auth: 'none',
  extension: true,
  summary: 'Start a sign-in by an organisation',
  description:
    'OpenID Connect authorization code flow with PKCE. Send the browser to `url`; it returns to `/login/provider` with a query. Pass that query with `attempt` to POST /api/auth/logins/provider.',
  body: z.strictObject({ next: z.string().max(2048).optional().describe('A path on this site to continue with') }),
  replies: { 200: z.object({ url: z.string(), attempt: Attempt }) },
  errors: ['auth.no_provider', 'auth.provider_unavailable', 'request.too_many'],
});

export const finishProviderSignIn = endpoint({
  name: 'finishProviderSignIn',
  service: 'auth',
  method: 'POST',
  path: '/logins/provider',
  auth: 'none',
  extension: true,
  summary: 'Finish a sign-in by an organisation',
  description:
    'Sets the session cookie. On the first sign-in the user gets the account with the verified address, or a new one; an unverified address gets none. An account of an administrator or with an assigned role is linked only from a recent session of that account, not by its address. Groups may decide the role. An account with a second factor answers 403 `auth.second_factor_required`.',
  body: z.strictObject({
    attempt: Attempt,
    answer: z.string().max(8192).describe('Query string of the return address'),
  }),
  replies: { 200: z.object({ redirectPath: z.string().describe('A path on this site to continue with') }) },
  errors: [
    'auth.no_provider',
    'auth.wrong_challenge',
    'auth.provider_refused',
    'auth.provider_unproven',
    'auth.provider_administrator',
    'auth.provider_unavailable',
    'auth.second_factor_required',
    'request.too_many',
  ],
});
