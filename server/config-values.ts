import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import addressParser from 'nodemailer/lib/addressparser';
import { z } from 'zod';
import { readPrivateKey } from './outside/signing-key.ts';

// Parsers of setting values; an error message follows the setting's name in one line.

export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
export const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value) => new URL(value).origin);

export const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
  .refine((value) => !/^\w+:\/\/([^/?#]*@)?[^/?#@]*,/.test(value), 'must be an address of one host');

export const signingKey = z.string().transform((value, context): KeyObject => {
  try {
    return readPrivateKey(value);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be an Ed25519 private key, as PKCS #8 PEM or as a JWK' });
    return z.NEVER;
  }
});

export const named = z
  .string()
  .default('')
  .transform((value, context) => {
    const keys = new Map<string, string>();
    for (const part of value.split(',').map((piece) => piece.trim())) {
      if (part === '') continue;
      const [, name, key] = /^([A-Za-z0-9._-]{1,64}):(.+)$/.exec(part) ?? [];
      if (!name || !key) context.addIssue({ code: 'custom', message: 'must be name:key,name:key' });
      else if (key.length < 32)
        context.addIssue({ code: 'custom', message: `the key of ${name} must have at least 32 characters` });
      else if (keys.has(name)) context.addIssue({ code: 'custom', message: `the name ${name} is used twice` });
      else keys.set(name, key);
    }
    return keys;
  });

export const words = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((piece) => piece.trim())
      .filter(Boolean),
  );

/** Names of hosts, without ports. */
export const hostNames = words
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .refine((hosts) => hosts.every((host) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host)), 'must be host,host');

export const keyList = words
  .refine((keys) => keys.every((key) => key.length >= 32), 'each key must have at least 32 characters')
  .refine((keys) => keys.length <= 2, 'at most two keys, during a rotation');

export const serviceAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((value) => {
    const url = URL.parse(value); // null for values that were refused already
    return !url || url.username + url.password + url.search + url.hash === '';
  }, 'must be an address without a password, a query or a fragment')
  .transform((value) => value.replace(/\/+$/, ''));

/** The host that the content platform delivers from: a host name, or an address of a test server on this machine. */
export const contentHost = z
  .string()
  .transform((value) => (value.includes('://') ? value : `https://${value}`))
  .pipe(serviceAddress)
  .refine(isPrivateAddress, 'must be a host name or an https address')
  .refine((value) => !value.includes('://preview.'), 'must not be the host of previews, which serves drafts');

export const contentName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, underscores or hyphens');

export const modelName = z.string().regex(/^[\w./:@-]{1,200}$/, 'must be the name of a model');

/** An address, a range, or one of the names Fastify knows. */
function isProxy(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  const isRange =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128));
  return family !== 0 && isRange && rest.length === 0;
}

/** Trusted proxies: a number of hops, or addresses; false trusts none. */
export const proxies = words.transform((list, context): false | number | string[] => {
  if (list.length === 0) return false;
  if (list.length === 1 && /^[1-9]\d?$/.test(list[0] ?? '')) return Number(list[0]);
  if (list.every(isProxy)) return list;
  context.addIssue({
    code: 'custom',
    message: 'must be a number of proxies, or addresses, ranges such as 10.0.0.0/28, or loopback',
  });
  return z.NEVER;
});

const PRIVATE_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'];

/** A name or range that covers a whole private network, which contains clients as well as proxies. */
export function isWholeNetwork(proxy: string): boolean {
  if (proxy === 'linklocal' || proxy === 'uniquelocal') return true;
  if (!proxy.includes('/')) return false;
  const [address, bits] = ipaddr.parseCIDR(proxy);
  return PRIVATE_NETWORKS.map((network) => ipaddr.parseCIDR(network)).some(
    ([first, ownBits]) => first.kind() === address.kind() && bits <= ownBits && first.match(address, bits),
  );
}

/** `host:port`, with an IPv6 address in brackets, as in a URL. */
export function isHostAndPort(value: string): boolean {
  const [, port] = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/.exec(value) ?? [];
  return port !== undefined && Number(port) > 0 && Number(port) < 65536;
}

/** A loopback address or name, which only this machine reaches; IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** An address with confidential traffic: https, or http to this machine. */
export function isPrivateAddress(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname);
}

/** `s3://bucket?endpoint=…&region=…`. */
export const bucketUrl = z.string().transform((value, context) => {
  const url = URL.parse(value);
  const endpoint = url?.searchParams.get('endpoint') ?? undefined;
  const isBucket = url?.protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname);
  if (!isBucket || (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))) {
    context.addIssue({
      code: 'custom',
      message: 'must be s3://bucket, with ?endpoint=https://… for stores other than AWS',
    });
    return z.NEVER;
  }
  return { bucket: url.hostname, endpoint, region: url.searchParams.get('region') ?? 'us-east-1' };
});

/** The parsed REDIS_URL. `database` also separates installations on one server. */
export type RedisAddress = {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
  database: number;
};

/** The sender of mails: one address, with or without a name. */
export const sender = z.string().refine((value) => {
  const [address, ...others] = addressParser(value);
  return others.length === 0 && 'address' in (address ?? {}) && /^[^\s@]+@[^\s@]+$/.test(address?.address ?? '');
}, 'must be an address, such as Officium <learn@example.gov>');

/**
 * `redis://user:password@host:port/number`, or `rediss://` with TLS; parsed, so that no message repeats the password.
 */
export const redisUrl = z.string().transform((value, context): RedisAddress => {
  const url = URL.parse(value);
  const isAddress = url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && url.search + url.hash === '';
  try {
    if (isAddress && /^\/?\d{0,4}$/.test(url.pathname))
      return {
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: Number(url.port || 6379),
        tls: url.protocol === 'rediss:',
        username: decodeURIComponent(url.username) || undefined,
        password: decodeURIComponent(url.password) || undefined,
        database: Number(url.pathname.slice(1)),
      };
  } catch {
    // A malformed % escape in the password is refused like other mistakes.
  }
  context.addIssue({ code: 'custom', message: 'must be redis://host:port/number, or rediss:// with TLS' });
  return z.NEVER;
});
