import { describe, expect, it } from 'vitest';
import { countQueries } from '../queries.ts';
import { OBJECT_TABLES, readObjectRows } from './objects.table.ts';
import { prepareVariant } from './variants.ts';
import { ask, makeFixture } from './fixture.ts';

// Hidden and missing objects must cost the same queries, so that response times do not tell them apart.

const fixture = await makeFixture();
const { test } = fixture;
const countWhile = countQueries(test);

const rows = OBJECT_TABLES.flatMap(readObjectRows).filter(({ answers }) => answers.hidden === 404);

describe('requests for hidden objects', () => {
  it.each(rows.map((row) => [`${row.name} ${row.identifier} as ${row.subject}`, row] as const))(
    '%s takes as many queries as for a missing object',
    async (_, row) => {
      const counted = async (variant: 'hidden' | 'random') => {
        const { subject, endpoint, sent } = await prepareVariant(fixture, row, variant);
        await ask(test, subject, endpoint, { ...sent, params: { ...sent.params } }); // caches the session first
        return await countWhile(async () => await ask(test, subject, endpoint, sent));
      };
      expect({ queries: await counted('hidden') }).toEqual({ queries: await counted('random') });
    },
  );
});
