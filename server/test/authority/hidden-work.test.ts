import { describe, expect, it } from 'vitest';
import { countQueries } from '../queries.ts';
import { OBJECT_TABLES, readObjectRows } from './objects.table.ts';
import { prepareVariant } from './variants.ts';
import { ask, makeWorld } from './world.ts';

// Hidden and missing objects must cost the same queries, so that response times do not tell them apart.

const world = await makeWorld();
const { test } = world;
const countWhile = countQueries(test);

const rows = OBJECT_TABLES.flatMap(readObjectRows).filter(({ answers }) => answers.hidden === 404);

describe('asking for what is hidden', () => {
  it.each(rows.map((row) => [`${row.name} ${row.identifier} as ${row.subject}`, row] as const))(
    '%s takes as many queries as for what is not there',
    async (_, row) => {
      const counted = async (variant: 'hidden' | 'random') => {
        const { subject, endpoint, sent } = await prepareVariant(world, row, variant);
        await ask(test, subject, endpoint, { ...sent, params: { ...sent.params } }); // their session is remembered then
        return await countWhile(async () => await ask(test, subject, endpoint, sent));
      };
      expect({ queries: await counted('hidden') }).toEqual({ queries: await counted('random') });
    },
  );
});
