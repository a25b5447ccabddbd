import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const providerSignInErrors = {
  'auth.no_provider': { status: 404, message: 'No organisation is set up to sign in with.' },
  'auth.provider_refused': { status: 403, message: 'Your organisation did not confirm who you are.' },
  'auth.provider_unproven': {
    status: 403,
    message: 'Your organisation does not vouch for your e-mail address, so no account can be opened by it.',
  },
  'auth.provider_administrator': {
    status: 403,
    message:
      'This address belongs to an administrator’s account. Sign in another way, then connect your organisation in your settings.',
  },
  'auth.provider_unavailable': {
    status: 503,
    message: 'The sign-in of your organisation does not answer. Try again later, or sign in another way.',
  },
} as const;

const Attempt = z
  .string()
  .min(1, 'Must not be empty')
  .max(256)
  .describe('Kept by the browser that begins, and by nobody else: it works once, for 10 minutes');

export const readSignInWays = endpoint({
  name: 'readSignInWays',
  service: 'auth',
  method: 'GET',
  path: '/logins/ways',
  auth: 'none',
  extension: true,
  summary: 'how people can sign in besides password, mail and passkey',
  replies: {
    200: z.object({
      provider: z.object({ name: z.string() }).nullable().describe('Of an organisation, by OpenID Connect'),
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
  summary: 'begin a sign-in by the organisation',
  description:
    'OpenID Connect, by authorization code with PKCE. The browser goes on to `url`; from there its person comes back to `/login/provider` with a query, which `POST /logins/provider` takes together with `attempt`.',
  body: z.strictObject({ next: z.string().max(2048).optional().describe('A path of ours to go on to') }),
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
  summary: 'finish a sign-in by the organisation',
  description:
    'Sets the session cookie. Whoever comes for the first time gets the account that has their proven address, or a new one; an address the organisation does not vouch for gets none. An administrator’s account is linked only from a recent session of that account, not by its address alone. Groups may decide about the role. An account with a second factor of its own is asked for it (403 `auth.second_factor_required`).',
  body: z.strictObject({
    attempt: Attempt,
    answer: z.string().max(8192).describe('The query of the address the person came back to'),
  }),
  replies: { 200: z.object({ redirectPath: z.string().describe('A path of ours to go on to') }) },
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
