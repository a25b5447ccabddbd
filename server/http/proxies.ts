import ipaddr from 'ipaddr.js';

const NEAR = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);

/**
 * Whose `X-Forwarded-For` Fastify believes. With a number, so many hops: each in a private network, so that a caller
 * from the internet who reaches the port past the proxy is not believed.
 */
export function trustedProxies(proxies: false | number | string[]) {
  if (typeof proxies !== 'number') return proxies;
  return (address: string, hop: number) =>
    hop < proxies && ipaddr.isValid(address) && NEAR.has(ipaddr.process(address).range());
}
