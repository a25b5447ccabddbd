import type { FastifyReply } from 'fastify';
import type { Ctx } from '../ctx.ts';
import { AppError, type Standing } from '../errors.ts';

export type { Standing };
export type Limit = { max: number; windowSeconds: number };

/** The address limits are counted by: an IPv4 address, or the /64 of an IPv6 one. A client that has gone has none. */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'gone';
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const full =
    tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - rest.length).fill('0'), ...rest];
  return full
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
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
