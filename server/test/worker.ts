import { readConfig } from '../config.ts';
import { createLogger } from '../log.ts';
import { openCtx } from '#server/app/open.ts';

// A worker as a process of its own, for drills that kill it. Says `ready` when it takes jobs.

const config = readConfig(process.env);
if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is needed');
const { ctx } = await openCtx(config, config.databaseUrl, createLogger(config));
await ctx.jobs.work(ctx);
process.stdout.write('ready\n');
