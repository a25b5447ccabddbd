import type * as OpenId from 'openid-client';
import type { Logger } from 'pino';

/** What an organisation says of the person who signed in there. */
export type ProviderClaims = {
  issuer: string;
  /** The same person's for ever, whatever else of them changes. */
  subject: string;
  /** The raw claim, not validated. */
  email: string | undefined;
  /** The same source says that this address is verified. */
  isEmailProven: boolean;
  name: string | undefined;
  groups: string[];
};

/** What is kept of a sign-in while its person is away. */
export type ProviderAttempt = { state: string; nonce: string; verifier: string };

/** It does not answer, or what it answered does not hold. */
export class ProviderFailure extends Error {
  readonly reason: 'unavailable' | 'refused';
  constructor(reason: 'unavailable' | 'refused', options?: ErrorOptions) {
    super(`the sign-in of the organisation: ${reason}`, options);
    this.reason = reason;
  }
}

export type IdentityProvider = {
  /** What people know it by. */
  name: string;
  begin(): Promise<ProviderAttempt & { url: string }>;
  /** What is known of whoever came back with `answer`, the query of the address. */
  finish(answer: string, attempt: ProviderAttempt): Promise<ProviderClaims>;
};

export type ProviderSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  name: string;
  scopes: string;
  groupsClaim: string;
  trustsEmail: boolean;
};

const TIMEOUT_SECONDS = 8;
/** Of an answer, after decompression: far more than the keys or the groups of anybody need. */
const MAX_BYTES = 1024 * 1024;
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_GROUPS = 1000;

/** Signs people in by OpenID Connect. Nothing is asked of the provider before somebody wants to sign in. */
export function openIdentityProvider(
  settings: ProviderSettings,
  { redirectUri, log }: { redirectUri: string; log: Logger },
): IdentityProvider {
  let discovered: Promise<{ openId: typeof OpenId; config: OpenId.Configuration }> | undefined;

  /** The provider as it describes itself, asked once; again after it did not answer. */
  function discover() {
    discovered ??= connect(settings);
    discovered.catch(() => (discovered = undefined));
    return discovered;
  }

  async function reaching<T>(step: (openId: typeof OpenId, config: OpenId.Configuration) => Promise<T>): Promise<T> {
    const { openId, config } = await discover().catch((error: unknown) => fail('unavailable', error));
    try {
      return await step(openId, config);
    } catch (error) {
      return fail(isRefusal(error) ? 'refused' : 'unavailable', error);
    }
  }

  function fail(reason: ProviderFailure['reason'], error: unknown): never {
    if (error instanceof ProviderFailure) throw error;
    // Neither the address with its code nor a token is in these.
    const { code, message } = error as { code?: string; message?: string };
    log.warn({ code, message, issuer: settings.issuer }, `provider sign-in refused: ${reason}`);
    throw new ProviderFailure(reason, { cause: error });
  }

  return {
    name: settings.name,
    begin: () =>
      reaching(async (openId, config) => {
        const attempt = {
          state: openId.randomState(),
          nonce: openId.randomNonce(),
          verifier: openId.randomPKCECodeVerifier(),
        };
        const url = openId.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: settings.scopes,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await openId.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
        });
        return { ...attempt, url: url.href };
      }),
    finish: (answer, { state, nonce, verifier }) =>
      reaching(async (openId, config) => {
        const at = new URL(redirectUri);
        at.search = answer;
        const tokens = await openId.authorizationCodeGrant(config, at, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const token = tokens.claims();
        if (!token) throw new ProviderFailure('refused');
        // The library checks `exp` and `nbf`, but accepts an `iat` in the future.
        if (token.iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS)
          fail('refused', new Error('the ID token was issued in the future'));
        const isWhole = hasVerifiableEmail(token, settings) && token[settings.groupsClaim] !== undefined;
        const more =
          isWhole || config.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await openId.fetchUserInfo(config, tokens.access_token, token.sub);
        return toClaims({ token, more }, settings);
      }),
  };
}

/** Reads no more than `MAX_BYTES` of an answer, however long it goes on. */
const limitedFetch: OpenId.CustomFetch = async (url, options) => {
  const { body, status, statusText, headers } = await fetch(url, options as RequestInit); // which it is, but for the kinds of bodies it allows
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.byteLength;
      if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`); // which ends the answer too
      controller.enqueue(part);
    },
  });
  return new Response(body && body.pipeThrough(count), { status, statusText, headers });
};

async function connect({ issuer, clientId, clientSecret }: ProviderSettings) {
  const openId = await import('openid-client');
  const server = new URL(issuer);
  const config = await openId.discovery(
    server,
    clientId,
    { [openId.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    clientSecret === undefined ? openId.None() : bySecret(openId, clientSecret),
    {
      timeout: TIMEOUT_SECONDS,
      [openId.customFetch]: limitedFetch,
      execute: [
        openId.enableNonRepudiationChecks,
        // The settings allow http to this machine only.
        ...(server.protocol === 'http:' ? [openId.allowInsecureRequests] : []),
      ],
    },
  );
  return { openId, config };
}

/** The secret, in the way the provider says it takes it; in the header where it says nothing. */
function bySecret(openId: typeof OpenId, secret: string): OpenId.ClientAuth {
  const [inHeader, inBody] = [openId.ClientSecretBasic(secret), openId.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported;
    const prove = !ways || ways.includes('client_secret_basic') ? inHeader : inBody;
    return prove(server, client, body, headers);
  };
}

/** Whether the provider said no, or said what does not hold; anything else is a provider that cannot be reached. */
function isRefusal(error: unknown): boolean {
  const { code = '', status, name } = error as { code?: string; status?: number; name?: string };
  if (name === 'AuthorizationResponseError') return true;
  if (name === 'ResponseBodyError' || name === 'WWWAuthenticateChallengeError')
    return status === undefined || status < 500;
  return /^OAUTH_(?:INVALID|JWT|KEY|MISSING|JSON_ATTRIBUTE)/.test(code);
}

type Claims = Record<string, unknown>;

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

/** The source has an address and says whether it is verified. */
function hasVerifiableEmail(source: Claims, { trustsEmail }: ProviderSettings): boolean {
  return textOf(source['email']) !== undefined && (trustsEmail || source['email_verified'] !== undefined);
}

/** Address and verification come from one source: another one may hold an address that users edit themselves. */
function toClaims(
  { token, more }: { token: OpenId.IDToken; more: Claims },
  settings: ProviderSettings,
): ProviderClaims {
  const source =
    [token, more].find((one) => hasVerifiableEmail(one, settings)) ?? (textOf(token['email']) ? token : more);
  const verified = source['email_verified'];
  const claims: Claims = { ...more, ...token };
  const whole = [textOf(claims['given_name']), textOf(claims['family_name'])].filter(Boolean).join(' ');
  const groups = claims[settings.groupsClaim];
  return {
    issuer: token.iss,
    subject: token.sub,
    email: textOf(source['email']),
    isEmailProven: settings.trustsEmail || verified === true || verified === 'true',
    name: textOf(claims['name']) ?? textOf(whole) ?? textOf(claims['preferred_username']),
    groups: (Array.isArray(groups) ? groups : [groups]).flatMap((group) => textOf(group) ?? []).slice(0, MAX_GROUPS),
  };
}
