import ipaddr from 'ipaddr.js';

const NEAR = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);

/**
 * Fastify's rule for trusting `X-Forwarded-For`. A number trusts that many hops, each in a private network, so that a
 * client from the internet that bypasses the proxy is not trusted.
 */
export function trustedProxies(proxies: false | number | string[]) {
  if (typeof proxies !== 'number') return proxies;
  return (address: string, hop: number) =>
    hop < proxies && ipaddr.isValid(address) && NEAR.has(ipaddr.process(address).range());
}
