import { isPrivateAddress } from '#server/config-values.ts';
import type { Config } from '#server/config.ts';
import { BadAnswer, fetchJson } from '#server/outside/json-fetch.ts';
import { tryClient } from '#server/outside/identity-provider.ts';
import { judgeSkew } from './database.policy.ts';
import { advice, explainConnection, type Diagnosis, right, wrong } from './diagnosis.ts';

const ANSWER_MS = 8_000;
const MAX_BYTES = 1024 * 1024;
const ABOUT = 'OIDC_ISSUER';
/** A Date header has whole seconds. */
const HEADER_MS = 500;

/** Checks sign-in by the organisation: discovery, issuer, endpoints, clock and the client's secret. */
export async function checkSignIn({ identityProvider, publicUrl }: Config): Promise<Diagnosis[]> {
  if (!identityProvider) return [];
  const { issuer } = identityProvider;
  const address = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  let metadata: Record<string, unknown>;
  try {
    metadata = Object(await fetchJson(address, { signal: AbortSignal.timeout(ANSWER_MS), maxBytes: MAX_BYTES }));
  } catch (error) {
    if (error instanceof BadAnswer)
      return [
        wrong(ABOUT, `${address.href}: ${error.message}`, 'Set the issuer exactly as your provider documents it.'),
      ];
    const { reason, remedy } = explainConnection(error, ABOUT);
    return [wrong(ABOUT, reason, remedy)];
  }
  const found = judgeMetadata(metadata, issuer);
  if (found.some(({ verdict }) => verdict === 'wrong')) return found;
  const redirectUri = `${publicUrl}/login/provider`;
  found.push(right('Redirect URI', `register ${redirectUri} at the provider`), ...(await checkClock(address)));
  return [...found, await checkClient(identityProvider, redirectUri)];
}

export function judgeMetadata(metadata: Record<string, unknown>, issuer: string): Diagnosis[] {
  const { issuer: named, ...rest } = metadata;
  if (named !== issuer)
    return [
      wrong(
        ABOUT,
        `the provider calls itself ${typeof named === 'string' ? named.slice(0, 200) : 'nothing'}`,
        'Set OIDC_ISSUER to exactly that, also its slash at the end.',
      ),
    ];
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];
  const missing = needed.filter((name) => typeof rest[name] !== 'string' || !URL.canParse(rest[name]));
  if (missing.length > 0)
    return [wrong(ABOUT, `the provider does not name its ${missing.join(', ')}`, 'Use an OpenID Connect provider.')];
  const open = needed.filter((name) => !isPrivateAddress(String(rest[name])));
  if (open.length > 0)
    return [wrong(ABOUT, `${open.join(', ')} is not https`, 'Correct the public address in the provider.')];
  return [right(ABOUT, 'the provider answers and names its endpoints')];
}

async function checkClock(address: URL): Promise<Diagnosis[]> {
  const before = Date.now();
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
  await response?.body?.cancel();
  const theirs = Date.parse(response?.headers.get('date') ?? '');
  return Number.isNaN(theirs) ? [] : [judgeSkew(ABOUT, theirs + HEADER_MS - (before + Date.now()) / 2)];
}

/** Sends a code that cannot exist: a provider that knows the client refuses the code, else the client. */
async function checkClient(settings: NonNullable<Config['identityProvider']>, redirectUri: string): Promise<Diagnosis> {
  const answer = await tryClient(settings, redirectUri);
  if (answer === 'invalid_client' || answer === 'unauthorized_client')
    return wrong(
      'OIDC_CLIENT_SECRET',
      `the provider refuses the client (${answer})`,
      'Correct OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; secrets expire at some providers.',
    );
  if (answer === 'invalid_grant') return right('OIDC_CLIENT_ID', 'the provider knows the client');
  return advice('OIDC_CLIENT_ID', `the provider did not say whether it knows the client (${answer})`, 'Sign in once.');
}
