import type { FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import { AppError, type LimitState } from '#server/errors.ts';
import type { Counts } from './counts.ts';

export type { LimitState };
/** The store of the counters; unused when limits are off. */
type Counting = { config: { rateLimits: boolean }; counts: Counts };
export type Limit = { max: number; windowSeconds: number };

/** A /48 gets the limit of this many /64 subnets. */
const SUBNETS_PER_SITE = 10;

/** Some proxies forward `192.0.2.1:5000` and `[2001:db8::1]:5000`. */
function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

/** The subnet is the IPv4 address or the IPv6 /64; the site is the IPv6 /48, which one customer may own entirely. */
function networksOf(forwarded: string | undefined): { subnet: string; site?: string } {
  if (forwarded === undefined) return { subnet: 'gone' }; // the client has disconnected
  const address = withoutPort(forwarded);
  // One counter for all, so that a client cannot get a new one with each request.
  if (!ipaddr.isValid(address)) return { subnet: 'unreadable' };
  const parsed = ipaddr.process(address); // reads ::ffff:192.0.2.1 as IPv4
  if (parsed instanceof ipaddr.IPv4) return { subnet: parsed.toString() };
  const groups = parsed.parts.map((part) => part.toString(16));
  return { subnet: groups.slice(0, 4).join(':'), site: `${groups.slice(0, 3).join(':')}::/48` };
}

/** The key of an address's subnet. */
export function addressKey(address: string | undefined): string {
  return networksOf(address).subnet;
}

/** The key of an address's site, the widest network that one client may control. */
export function siteKey(address: string | undefined): string {
  const { subnet, site = subnet } = networksOf(address);
  return site;
}

type Allowance = { key: string; max: number };

/** The limits of a client address: its subnet's and, for IPv6, its site's. */
export function addressAllowances(address: string | undefined, max: number): [Allowance, ...Allowance[]] {
  const { subnet, site } = networksOf(address);
  const ofSubnet = { key: subnet, max };
  return site === undefined ? [ofSubnet] : [ofSubnet, { key: site, max: max * SUBNETS_PER_SITE }];
}

/**
 * Counts against a limit shared by all nodes and returns its state; throws 429 with Retry-After above it. Counted
 * outside the request's transaction, so refused requests count too. RATE_LIMITS=off disables it.
 */
export async function takeLimit(ctx: Counting, key: string, limit: Limit, count = 1): Promise<LimitState | undefined> {
  if (!ctx.config.rateLimits) return undefined;
  const { used, wait } = await ctx.counts.take(key, count, limit.windowSeconds);
  const state = { limit: limit.max, remaining: Math.max(0, limit.max - used), resetSeconds: Math.ceil(wait) };
  if (used > limit.max) throw new AppError('request.too_many', { retryAfterSeconds: wait, limit: state });
  return state;
}

/** Counts against the limits of a client address and returns the state of its subnet. */
export async function takeAddressLimit(
  ctx: Counting,
  name: string,
  address: string | undefined,
  limit: Limit,
): Promise<LimitState | undefined> {
  const [subnet, site] = addressAllowances(address, limit.max);
  const take = ({ key, max }: Allowance) => takeLimit(ctx, `${name}:${key}`, { ...limit, max });
  const state = await take(subnet); // a subnet over its limit does not drain its site's
  if (site) await take(site);
  return state;
}

/** Above what people write and migrations need, and low enough for the cost of sanitising, rendering and indexing. */
const WRITING: Limit[] = [
  { max: 200, windowSeconds: 60 },
  { max: 2000, windowSeconds: 3600 },
];

/** Texts from this size on also count by size: the longest take up to a second to sanitise and render. */
const LONG_BYTES = 8 * 1024;
const LONG_WRITING: Limit = { max: 2 * 1024 * 1024, windowSeconds: 600 };

/** Counts a new or edited text of an account: a post, a poll, a reply or an article. Throws 429 above the limit. */
export async function takeWriting(ctx: Counting, writerId: string, text: object): Promise<void> {
  for (const limit of WRITING) await takeLimit(ctx, `write:${limit.windowSeconds}:${writerId}`, limit);
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes >= LONG_BYTES) await takeLimit(ctx, `write-long:${writerId}`, LONG_WRITING, bytes);
}

/** Reverts `takeLimit`, for limits that count failures only. */
export async function giveBack(ctx: Counting, key: string): Promise<void> {
  if (!ctx.config.rateLimits) return;
  await ctx.counts.giveBack(key);
}

/** Reports a limit in the headers of draft-ietf-httpapi-ratelimit-headers-06. */
export function sendLimitHeaders(reply: FastifyReply, { limit, remaining, resetSeconds }: LimitState): void {
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(resetSeconds));
}
