import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/**
 * Resolves names through DNS only and returns all addresses. Unlike `dns.lookup`, it does not block a thread of the
 * pool that files, passwords and pictures share, even if a name server is slow.
 */
export function dnsLookup(options: { servers?: string[]; timeoutMs: number }): LookupFunction {
  const resolve = async (hostname: string) => {
    // Created for each lookup, because a resolver keeps the name servers configured at its creation.
    const resolver = new Resolver({ timeout: options.timeoutMs, tries: 1 });
    if (options.servers) resolver.setServers(options.servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
  };
  return (hostname, _options, callback) => {
    resolve(hostname).then(
      (found) => callback(null, found),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
