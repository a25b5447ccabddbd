import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';

/** The scope of a product; an entry that is no product is private. */
export function scopeOrPrivate(scope: Expression<string | null>): RawBuilder<Scope> {
  return sql<Scope>`coalesce(${scope}, 'private')`;
}
