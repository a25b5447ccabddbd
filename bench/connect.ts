import pg from 'pg';
import { connectOrStartEmbedded } from '../server/db/embedded/embedded.ts';
import type { Product } from '../e2e/product.ts';

/** Connects to the database of a product: the given one, else its embedded one. */
export async function connectTo({ databaseUrl: given, dataDir }: Pick<Product, 'databaseUrl' | 'dataDir'>): Promise<{
  client: pg.Client;
  databaseUrl: string;
  close(): Promise<void>;
}> {
  const postgres = given ? undefined : await connectOrStartEmbedded({ dataDir, log: () => {} });
  const databaseUrl = given ?? postgres!.url; // one of the two exists
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    client,
    databaseUrl,
    async close() {
      await client.end();
      await postgres?.stop();
    },
  };
}
