import { buildApp } from '#server/app/app.ts';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../log.ts';
import { openCtx } from '#server/app/open.ts';

// The product as started by server/process/main.ts, without its pages, which would need a build.

const config = readConfig(process.env);
const { ctx } = await openCtx(config, process.env['DATABASE_URL']!, createLogger(config)); // set by nodes.ts
const app = await buildApp(ctx);
await ctx.jobs.work(ctx);
await app.listen({ port: config.port, host: config.host });
