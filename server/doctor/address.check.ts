import { lookup } from 'node:dns/promises';
import type { Config } from '#server/config.ts';
import { isLoopback } from '#server/config-values.ts';
import { advice, explainConnection, type Diagnosis, right, wrong } from './diagnosis.ts';
import type { Environment } from './settings.check.ts';

const ANSWER_MS = 5_000;
const MOST_BYTES = 1024;
const ABOUT = 'PUBLIC_URL';

/** Checks the address people use, and what stands in front of the product. */
export async function checkAddress(config: Config, environment: Environment): Promise<Diagnosis[]> {
  const found = judgeAddress(config, environment);
  const { hostname } = new URL(config.publicUrl);
  if (!isLoopback(hostname)) {
    const isKnown = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined);
    if (!isKnown)
      return [...found, wrong(ABOUT, `${hostname} does not resolve`, 'Add it to the DNS, or correct the setting.')];
  }
  return [...found, await reach(config.publicUrl)];
}

/** Everything about the address that needs no network. */
export function judgeAddress(config: Config, environment: Environment): Diagnosis[] {
  const found: Diagnosis[] = [];
  const raw = URL.parse(environment[ABOUT] ?? '');
  const isPublic = !isLoopback(new URL(config.publicUrl).hostname);
  if (raw && raw.pathname + raw.search + raw.hash !== '/')
    found.push(
      wrong(ABOUT, `has the path ${raw.pathname}, which is ignored`, 'Serve the product at the root of a host name.'),
    );
  if (!config.isLocal && !isPublic)
    found.push(
      wrong(
        ABOUT,
        `is ${config.publicUrl}, and others can reach the product: links in their mails lead to their own machine`,
        'Set it to the https address that people use.',
      ),
    );
  else if (isPublic && !config.secure)
    found.push(
      wrong(ABOUT, 'is not https: anyone on the way reads passwords and sessions', 'Put a proxy with TLS in front.'),
    );
  else found.push(right(ABOUT, config.publicUrl));
  return [...found, ...judgeProxy(config, isPublic)];
}

function judgeProxy({ trustProxy, secure, host }: Config, isPublic: boolean): Diagnosis[] {
  const about = 'TRUST_PROXY';
  if (trustProxy === false)
    return isPublic && secure
      ? [
          wrong(
            about,
            'is not set, so all visitors count as one address and share its limits',
            'Set the address of the proxy that ends TLS, or 1 when only it reaches the product.',
          ),
        ]
      : [];
  if (!isPublic) return [advice(about, 'is set without a public address', 'Set PUBLIC_URL, or remove TRUST_PROXY.')];
  if (typeof trustProxy === 'number' && !isLoopback(host))
    return [right(about, `${trustProxy} in front; let only the proxy reach the port of the product`)];
  return [right(about, `trusts ${String(trustProxy)}`)];
}

/** Asks for our health under the public address, through the proxy. */
async function reach(publicUrl: string): Promise<Diagnosis> {
  const remedy = 'Check what the proxy does with this host name.';
  let response: Response;
  try {
    response = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (error) {
    const { reason, remedy: usual } = explainConnection(error, ABOUT);
    if (/certificate/.test(reason)) return wrong(ABOUT, reason, usual);
    return advice(
      ABOUT,
      `could not be reached from here: ${reason}`,
      'Start the product and the proxy, then ask again.',
    );
  }
  const text = (await response.text().catch(() => '')).slice(0, MOST_BYTES);
  const { status } = response;
  if (status === 200 && text === '{"status":"ok"}') return right(ABOUT, 'the product answers there');
  if (status >= 300 && status < 400)
    return wrong(ABOUT, 'redirects elsewhere', 'Set PUBLIC_URL to the address that finally answers.');
  if (status >= 502 && status <= 504)
    return wrong(ABOUT, `the proxy does not reach the product (${status})`, 'Start it, or correct the upstream.');
  return wrong(ABOUT, `something else than this product answers there (${status})`, remedy);
}
