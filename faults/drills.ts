import type { Drill } from './drill.ts';
import { drill as aiProvider } from './drills/ai-provider.ts';
import { drill as bootRace } from './drills/boot-race.ts';
import { drill as clock } from './drills/clock.ts';
import { drill as databaseClock } from './drills/database-clock.ts';
import { drill as databaseRestart } from './drills/database-restart.ts';
import { drill as diskFull } from './drills/disk-full.ts';
import { drill as duplicates } from './drills/duplicates.ts';
import { drill as eventLoop } from './drills/event-loop.ts';
import { drill as failoverAsynchronous } from './drills/failover-asynchronous.ts';
import { drill as failover } from './drills/failover.ts';
import { drill as jobRace } from './drills/job-race.ts';
import { drill as migrationUnderLoad } from './drills/migration-under-load.ts';
import { drill as partition } from './drills/partition.ts';
import { drill as pool } from './drills/pool.ts';
import { drill as restore } from './drills/restore.ts';
import { drill as rollingRestart } from './drills/rolling-restart.ts';
import { drill as slowClients } from './drills/slow-clients.ts';
import { drill as smtp } from './drills/smtp.ts';
import { drill as soak } from './drills/soak.ts';
import { drill as storage } from './drills/storage.ts';
import { drill as topology } from './drills/topology.ts';
import { drill as upgrade } from './drills/upgrade.ts';
import { drill as webKill } from './drills/web-kill.ts';
import { drill as workerKill } from './drills/worker-kill.ts';

/** The drills in the order in which they run and appear in the docs. */
export const DRILLS: readonly Drill[] = [
  topology,
  databaseRestart,
  failover,
  failoverAsynchronous,
  workerKill,
  webKill,
  diskFull,
  smtp,
  storage,
  aiProvider,
  clock,
  databaseClock,
  jobRace,
  bootRace,
  migrationUnderLoad,
  upgrade,
  rollingRestart,
  pool,
  eventLoop,
  slowClients,
  restore,
  partition,
  duplicates,
];

/** Long drills, run only when named. */
export const LONG_DRILLS: readonly Drill[] = [soak];
