import type { readSystem as ReadSystem } from '@officium/contract/operations';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Ctx } from '#server/ctx.ts';
import { getOldestWaiting } from '#server/jobs/watch.ts';
import { builtAt, LISTENER, readListenerName, VERSION } from '#server/version.ts';
import { findLargestTables, findListeners, getSystem } from './system.repository.ts';

/** Reports versions, processes, files and the database. */
export async function readSystem(ctx: Ctx): Promise<ReplyOf<typeof ReadSystem>> {
  const [system, tables, listeners, oldest, built] = await Promise.all([
    getSystem(ctx.db),
    findLargestTables(ctx.db),
    findListeners(ctx.db, LISTENER),
    getOldestWaiting(ctx.db),
    builtAt(),
  ]);
  return {
    versions: {
      product: VERSION,
      node: process.versions.node,
      postgresql: system.postgresql,
      jobStore: system.jobStore,
      migrations: system.migrations,
      lastMigration: system.lastMigration,
      lastMigratedAt: system.lastMigratedAt.toISOString(),
      builtAt: built?.toISOString() ?? null,
    },
    processes: listeners.map(({ name, connectedAt }) => ({
      ...readListenerName(name),
      connectedAt: connectedAt.toISOString(),
    })),
    storage: [
      { kind: 'content', files: system.contentFiles, bytes: system.contentBytes },
      // Each picture has two files; their sizes are not recorded.
      { kind: 'pictures', files: 2 * system.pictures, bytes: null },
      { kind: 'exports', files: system.exportFiles, bytes: system.exportBytes },
    ],
    database: { bytes: system.databaseBytes, tables },
    oldestWaitingJob: oldest ? { queue: oldest.queue, dueAt: oldest.dueAt.toISOString() } : null,
  };
}
