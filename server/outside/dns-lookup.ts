import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/**
 * Looks names up in the DNS alone, always all addresses. Unlike the system's lookup it takes none of the few threads
 * that files, passwords and pictures need too, however slow somebody's name server is.
 */
export function dnsLookup(options: { servers?: string[]; timeoutMs: number }): LookupFunction {
  const resolve = async (hostname: string) => {
    // A new one each time, as it knows the name servers of the moment it was made.
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
