import { sql } from 'kysely';
import { importFolder } from '../areas/content/import.service.ts';
import { readContentFolder } from '../areas/content/folder-reader.ts';
import type { Ctx } from '../ctx.ts';
import { inTransaction } from '../db/client.ts';
import { ensureArticles } from './articles.ts';
import { ensureConversations, ensureMembers } from './conversations.ts';
import { ensureLearning } from './learning.ts';
import { ensureConnections, ensurePeople } from './people.ts';
import { DEMO_FOLDER } from './read.ts';

/** Fills the product with the demo, all or nothing. What is there already is left as it is. */
export async function loadDemo(ctx: Ctx): Promise<void> {
  const reading = await readContentFolder(DEMO_FOLDER);
  const { folder } = reading;
  if (!folder)
    throw new Error(
      `The demo content has faults: ${reading.faults.map((fault) => `${fault.field} ${fault.message}`).join('; ')}`,
    );
  await inTransaction(ctx.db, async (db) => {
    // Nodes that start together take turns; the later ones find everything in place.
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(db);
    const inside = { ...ctx, db };
    // People first, so that the communities find their owners.
    const people = await ensurePeople(inside);
    await ensureConnections(inside, people);
    await importFolder(inside, folder, reading.assets);
    await ensureMembers(inside, people);
    await ensureConversations(inside, people);
    await ensureArticles(inside, people);
    await ensureLearning(inside, people);
  });
}
