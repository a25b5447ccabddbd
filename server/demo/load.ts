import { getDemo, markLoaded } from '#server/areas/site/demo-content.repository.ts';
import { importFolder } from '#server/areas/importing/import.service.ts';
import { readContentFolder } from '#server/areas/importing/folder-reader.format.ts';
import type { Ctx } from '../ctx.ts';
import { type Db, inTransaction } from '../db/client.ts';
import { lockDemo, type Passwords } from './accounts.ts';
import { ensureArticles } from './articles.ts';
import { ensureConversations, ensureMembers } from './conversations.ts';
import { ensureSeats } from './events.ts';
import { ensureLearning } from './learning.ts';
import { ensureConnections, ensurePeople } from './people.ts';
import { DEMO_FOLDER } from './read.ts';
import { ensureSitePages } from './site.ts';

/**
 * Loads the demo, all or nothing. Leaves existing rows as they are. Returns the passwords of the accounts it created. A
 * demo that an administrator removed is loaded again only on request.
 */
export async function loadDemo(ctx: Ctx, { evenIfRemoved = false } = {}): Promise<Passwords> {
  if (!evenIfRemoved && (await isRemoved(ctx.db))) return new Map();
  const reading = await readContentFolder(DEMO_FOLDER);
  const { folder } = reading;
  if (!folder)
    throw new Error(
      `The demo content has faults: ${reading.faults.map((fault) => `${fault.field} ${fault.message}`).join('; ')}`,
    );
  const created = await inTransaction(ctx.db, async (db) => {
    await lockDemo(db);
    if (!evenIfRemoved && (await isRemoved(db))) return new Map();
    await markLoaded(db);
    const inside = { ...ctx, db };
    // People first: communities refer to their owners.
    const { people, passwords } = await ensurePeople(inside);
    await ensureConnections(inside, people);
    await importFolder(inside, folder, reading.assets);
    await ensureMembers(inside, people);
    await ensureConversations(inside, people);
    await ensureArticles(inside, people);
    await ensureLearning(inside, people);
    await ensureSeats(inside, people);
    await ensureSitePages(inside);
    return passwords;
  });
  await ctx.site.refresh();
  return created;
}

async function isRemoved(db: Db): Promise<boolean> {
  return (await getDemo(db))?.removal_asked_at != null;
}
