import type { FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Ctx } from '../ctx.ts';
import { AppError, type Standing } from '../errors.ts';

export type { Standing };
export type Limit = { max: number; windowSeconds: number };

/** A site has the allowances of this many lines. */
const LINES_OF_A_SITE = 10;

/** A line is an IPv4 address or the /64 of an IPv6 one, a site its /48, which one customer may have whole. */
function networksOf(address: string | undefined): { line: string; site?: string } {
  if (address === undefined) return { line: 'gone' }; // as the client is
  if (!ipaddr.isValid(address)) return { line: address };
  const plain = ipaddr.process(address); // reads ::ffff:192.0.2.1 as IPv4
  if (plain instanceof ipaddr.IPv4) return { line: plain.toString() };
  const groups = plain.parts.map((part) => part.toString(16));
  return { line: groups.slice(0, 4).join(':'), site: `${groups.slice(0, 3).join(':')}::/48` };
}

/** The line limits are counted by. */
export function addressKey(address: string | undefined): string {
  return networksOf(address).line;
}

/** The widest network that may be one person's. */
export function siteKey(address: string | undefined): string {
  const { line, site = line } = networksOf(address);
  return site;
}

type Allowance = { key: string; max: number };

/** What an address of origin takes from: its line, and with IPv6 its site too. */
export function allowancesOf(address: string | undefined, max: number): [Allowance, ...Allowance[]] {
  const { line, site } = networksOf(address);
  const ofLine = { key: line, max };
  return site === undefined ? [ofLine] : [ofLine, { key: site, max: max * LINES_OF_A_SITE }];
}

/**
 * Takes from an allowance shared by all nodes and answers how it stands; throws 429 with Retry-After when it is used up.
 * Counted outside the request's transaction, so a refused request counts too. RATE_LIMITS=off turns it off.
 */
export async function takeLimit(ctx: Ctx, key: string, limit: Limit, count = 1): Promise<Standing | undefined> {
  if (!ctx.config.rateLimits) return undefined;
  const { used, wait } = await ctx.counts.take(key, count, limit.windowSeconds);
  const standing = { limit: limit.max, remaining: Math.max(0, limit.max - used), resetSeconds: Math.ceil(wait) };
  if (used > limit.max) throw new AppError('request.too_many', { retryAfterSeconds: wait, limit: standing });
  return standing;
}

/** The same for an address of origin; answers how its line stands. */
export async function takeLimitOfAddress(
  ctx: Ctx,
  name: string,
  address: string | undefined,
  limit: Limit,
): Promise<Standing | undefined> {
  const [line, site] = allowancesOf(address, limit.max);
  const take = ({ key, max }: Allowance) => takeLimit(ctx, `${name}:${key}`, { ...limit, max });
  const standing = await take(line); // a line that is used up takes nothing from its site
  if (site) await take(site);
  return standing;
}

/** More than people write, or a program that brings a community's texts over, and little enough to check, render and index. */
const WRITING: Limit[] = [
  { max: 200, windowSeconds: 60 },
  { max: 2000, windowSeconds: 3600 },
];

/** Counts a text that an account writes for others or edits: a post, a poll, a reply or an article. 429 for a script. */
export async function takeWriting(ctx: Ctx, writerId: string): Promise<void> {
  for (const limit of WRITING) await takeLimit(ctx, `write:${limit.windowSeconds}:${writerId}`, limit);
}

/** Gives back what `takeLimit` took, for allowances that only count failures. */
export async function giveBack(ctx: Ctx, key: string): Promise<void> {
  if (!ctx.config.rateLimits) return;
  await ctx.counts.giveBack(key);
}

/** Tells a caller how their allowance stands, in the headers of draft-ietf-httpapi-ratelimit-headers-06. */
export function showStanding(reply: FastifyReply, { limit, remaining, resetSeconds }: Standing): void {
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(resetSeconds));
}
