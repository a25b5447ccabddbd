import { type ExpressionBuilder, sql } from 'kysely';
import type { DB } from '#server/db/schema.ts';

/** The keys of the pictures and media of the entry that a text belongs to. */
export function assetKeysOf(
  eb: ExpressionBuilder<DB, 'bodies'>,
  entry: 'bodies.microcourse_id' | 'bodies.editorial_id',
) {
  const keys = eb
    .selectFrom('content_assets as f')
    .whereRef('f.entry_id', '=', entry)
    .select((f) => f.fn.agg<string[]>('json_agg', ['f.key']).as('keys'));
  return eb.fn.coalesce(keys, sql<string[]>`'[]'::json`);
}
