import type * as OpenId from 'openid-client';
import type { Logger } from 'pino';

/** Claims of the identity provider about the signed-in person. */
export type ProviderClaims = {
  issuer: string;
  /** Stable identifier of the person at this issuer. */
  subject: string;
  /** The raw claim, not validated. */
  email: string | undefined;
  /** The source of the address also states that it is verified. */
  isEmailProven: boolean;
  name: string | undefined;
  groups: string[];
};

/** State of a sign-in while the person is at the provider. */
export type ProviderAttempt = { state: string; nonce: string; verifier: string };

/** The provider does not respond, or its response is invalid. */
export class ProviderFailure extends Error {
  readonly reason: 'unavailable' | 'refused';
  constructor(reason: 'unavailable' | 'refused', options?: ErrorOptions) {
    super(`identity provider sign-in: ${reason}`, options);
    this.reason = reason;
  }
}

export type IdentityProvider = {
  /** Display name. */
  name: string;
  begin(): Promise<ProviderAttempt & { url: string }>;
  /** Returns the claims for `answer`, the query string of the redirect back. */
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
/** Maximum response size after decompression, far above what keys or groups need. */
const MAX_BYTES = 1024 * 1024;
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_GROUPS = 1000;

/** Signs people in through OpenID Connect. Contacts the provider only at the first sign-in. */
export function openIdentityProvider(
  settings: ProviderSettings,
  { redirectUri, log }: { redirectUri: string; log: Logger },
): IdentityProvider {
  let discovered: Promise<{ openId: typeof OpenId; config: OpenId.Configuration }> | undefined;

  /** Fetches the provider's metadata once, and again after a failure. */
  function discover() {
    discovered ??= connect(settings);
    discovered.catch(() => (discovered = undefined));
    return discovered;
  }

  async function withProvider<T>(
    step: (openId: typeof OpenId, config: OpenId.Configuration) => Promise<T>,
  ): Promise<T> {
    const { openId, config } = await discover().catch((error: unknown) => fail('unavailable', error));
    try {
      return await step(openId, config);
    } catch (error) {
      return fail(isRefusal(error) ? 'refused' : 'unavailable', error);
    }
  }

  function fail(reason: ProviderFailure['reason'], error: unknown): never {
    if (error instanceof ProviderFailure) throw error;
    // These fields contain neither the authorization code nor a token.
    const { code, message } = error as { code?: string; message?: string };
    log.warn({ code, message, issuer: settings.issuer }, `provider sign-in refused: ${reason}`);
    throw new ProviderFailure(reason, { cause: error });
  }

  return {
    name: settings.name,
    begin: () =>
      withProvider(async (openId, config) => {
        const attempt = newAttempt(openId);
        const challenge = await openId.calculatePKCECodeChallenge(attempt.verifier);
        const asked = { redirectUri, scope: settings.scopes, challenge };
        return { ...attempt, url: addressOf(openId, config, attempt, asked) };
      }),
    finish: (answer, { state, nonce, verifier }) =>
      withProvider(async (openId, config) => {
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

function newAttempt(openId: typeof OpenId): ProviderAttempt {
  return { state: openId.randomState(), nonce: openId.randomNonce(), verifier: openId.randomPKCECodeVerifier() };
}

/** The provider's page on which the person signs in. */
function addressOf(
  openId: typeof OpenId,
  config: OpenId.Configuration,
  { state, nonce }: ProviderAttempt,
  { redirectUri, scope, challenge }: { redirectUri: string; scope: string; challenge: string },
): string {
  const url = openId.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return url.href;
}

/** Reads at most `MAX_BYTES` of a response. */
const limitedFetch: OpenId.CustomFetch = async (url, options) => {
  const { body, status, statusText, headers } = await fetch(url, options as RequestInit); // the types differ only in the allowed kinds of body
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.byteLength;
      if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`); // also cancels the response
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
        // The configuration allows http only for localhost.
        ...(server.protocol === 'http:' ? [openId.allowInsecureRequests] : []),
      ],
    },
  );
  return { openId, config };
}

/** Authenticates the client by the method the provider supports, in the header by default. */
function bySecret(openId: typeof OpenId, secret: string): OpenId.ClientAuth {
  const [inHeader, inBody] = [openId.ClientSecretBasic(secret), openId.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported;
    const prove = !ways || ways.includes('client_secret_basic') ? inHeader : inBody;
    return prove(server, client, body, headers);
  };
}

/** True when the provider refused or its response is invalid. Any other error means it is unreachable. */
function isRefusal(error: unknown): boolean {
  const { code = '', status, name } = error as { code?: string; status?: number; name?: string };
  if (name === 'AuthorizationResponseError') return true;
  if (name === 'ResponseBodyError' || name === 'WWWAuthenticateChallengeError')
    return status === undefined || status < 500;
  return /^OAUTH_(?:INVALID|JWT|KEY|MISSING|JSON_ATTRIBUTE)/.test(code);
}

type Claims = Record<string, unknown>;

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

/** True when the source contains an address and states whether it is verified. */
function hasVerifiableEmail(source: Claims, { trustsEmail }: ProviderSettings): boolean {
  return textOf(source['email']) !== undefined && (trustsEmail || source['email_verified'] !== undefined);
}

/** Takes address and verification from the same source, because users may be able to edit the address in the other. */
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

/** Exchanges a code that cannot exist, for a diagnosis; returns the provider's error, such as `invalid_client`. */
export async function tryClient(settings: ProviderSettings, redirectUri: string): Promise<string> {
  try {
    const { openId, config } = await connect(settings);
    const verifier = openId.randomPKCECodeVerifier();
    await openId.genericGrantRequest(config, 'authorization_code', {
      code: 'a-code-that-cannot-exist',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    return 'no error';
  } catch (error) {
    const { error: reason, code, status } = error as { error?: unknown; code?: unknown; status?: unknown }; // only read
    if (status === 401 && typeof reason !== 'string') return 'invalid_client';
    return String(typeof reason === 'string' ? reason.slice(0, 60) : (code ?? 'no answer'));
  }
}
