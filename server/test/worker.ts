import { readConfig } from '../config.ts';
import { createLogger } from '../log.ts';
import { openCtx } from '#server/app/open.ts';

// A worker in its own process, for drills that kill it. Prints `ready` when it accepts jobs.

const config = readConfig(process.env);
if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is required');
const { ctx } = await openCtx(config, config.databaseUrl, createLogger(config));
await ctx.jobs.work(ctx);
process.stdout.write('ready\n');
