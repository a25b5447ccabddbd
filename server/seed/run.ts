import { sql } from 'kysely';
import type { Db } from '../db/client.ts';

export type Seed = {
  db: Db;
  /** How many people to add. */
  people: number;
  /** How many earlier seeds added; the numbers in addresses continue from here. */
  before: number;
};

/** One step of the seed. `name` is printed with its duration. */
export type SeedPart = { name: string; fill: (seed: Seed) => Promise<void> };

/** Defines `id_at`, which makes a UUID version 7 for a given time, as the product would have. */
export async function makeIdFunction(db: Db): Promise<void> {
  await sql`
    create or replace function pg_temp.id_at(moment timestamptz) returns uuid language sql volatile as $$
      select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6),
        52, 1), 53, 1), 'hex')::uuid $$`.execute(db);
  await sql`
    create or replace function pg_temp.one_of(words text[]) returns text language sql volatile as $$
      select words[1 + floor(random() * cardinality(words))::int] $$`.execute(db);
}
