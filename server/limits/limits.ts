import type { FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import { AppError, type AllowanceStanding } from '#server/errors.ts';
import type { Counts } from './counts.ts';

export type { AllowanceStanding };
/** Where it is counted, unless limits are off. */
type Counting = { config: { rateLimits: boolean }; counts: Counts };
export type Limit = { max: number; windowSeconds: number };

/** A /48 gets the allowance of this many /64 subnets. */
const SUBNETS_PER_SITE = 10;

/** The subnet is the IPv4 address or the IPv6 /64; the site is the IPv6 /48, all of which one customer may hold. */
function networksOf(address: string | undefined): { subnet: string; site?: string } {
  if (address === undefined) return { subnet: 'gone' }; // the client has disconnected
  if (!ipaddr.isValid(address)) return { subnet: address };
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

/** The allowances of an address of origin: its subnet's and, for IPv6, its site's. */
export function addressAllowances(address: string | undefined, max: number): [Allowance, ...Allowance[]] {
  const { subnet, site } = networksOf(address);
  const ofSubnet = { key: subnet, max };
  return site === undefined ? [ofSubnet] : [ofSubnet, { key: site, max: max * SUBNETS_PER_SITE }];
}

/**
 * Takes from an allowance shared by all nodes and answers how it stands; throws 429 with Retry-After when it is used up.
 * Counted outside the request's transaction, so a refused request counts too. RATE_LIMITS=off turns it off.
 */
export async function takeLimit(
  ctx: Counting,
  key: string,
  limit: Limit,
  count = 1,
): Promise<AllowanceStanding | undefined> {
  if (!ctx.config.rateLimits) return undefined;
  const { used, wait } = await ctx.counts.take(key, count, limit.windowSeconds);
  const standing = { limit: limit.max, remaining: Math.max(0, limit.max - used), resetSeconds: Math.ceil(wait) };
  if (used > limit.max) throw new AppError('request.too_many', { retryAfterSeconds: wait, limit: standing });
  return standing;
}

/** Takes from the allowances of an address of origin and answers how its subnet's stands. */
export async function takeAddressLimit(
  ctx: Counting,
  name: string,
  address: string | undefined,
  limit: Limit,
): Promise<AllowanceStanding | undefined> {
  const [subnet, site] = addressAllowances(address, limit.max);
  const take = ({ key, max }: Allowance) => takeLimit(ctx, `${name}:${key}`, { ...limit, max });
  const standing = await take(subnet); // a subnet over its limit does not drain its site's
  if (site) await take(site);
  return standing;
}

/** More than people write, or a program that brings a community's texts over, and little enough to check, render and index. */
const WRITING: Limit[] = [
  { max: 200, windowSeconds: 60 },
  { max: 2000, windowSeconds: 3600 },
];

/** Texts from this size on are also counted by it: the longest take up to a second to check and render. */
const LONG_BYTES = 8 * 1024;
const LONG_WRITING: Limit = { max: 2 * 1024 * 1024, windowSeconds: 600 };

/** Counts a text that an account writes for others or edits: a post, a poll, a reply or an article. 429 for a script. */
export async function takeWriting(ctx: Counting, writerId: string, text: object): Promise<void> {
  for (const limit of WRITING) await takeLimit(ctx, `write:${limit.windowSeconds}:${writerId}`, limit);
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes >= LONG_BYTES) await takeLimit(ctx, `write-long:${writerId}`, LONG_WRITING, bytes);
}

/** Gives back what `takeLimit` took, for allowances that only count failures. */
export async function giveBack(ctx: Counting, key: string): Promise<void> {
  if (!ctx.config.rateLimits) return;
  await ctx.counts.giveBack(key);
}

/** Tells a caller how their allowance stands, in the headers of draft-ietf-httpapi-ratelimit-headers-06. */
export function showStanding(reply: FastifyReply, { limit, remaining, resetSeconds }: AllowanceStanding): void {
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(resetSeconds));
}
