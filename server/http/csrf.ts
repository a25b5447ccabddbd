import type { FastifyRequest } from 'fastify';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether another site made a browser send this request. Unsafe methods with the session cookie need Sec-Fetch-Site
 * same-origin or none, or without that header an Origin equal to ours. Without a cookie, only requests with
 * Sec-Fetch-Site cross-site are refused.
 */
export function isCrossSite(
  request: Pick<FastifyRequest, 'method' | 'headers'>,
  publicUrl: string,
  hasCookie: boolean,
): boolean {
  if (SAFE.has(request.method)) return false;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin !== undefined) return hasCookie && origin !== publicUrl;
  return hasCookie;
}
