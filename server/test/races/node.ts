import { buildApp } from '#server/app/app.ts';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../log.ts';
import { openCtx } from '#server/app/open.ts';

// The product as server/process/main.ts starts it, without its pages, which would have to be built first.

const config = readConfig(process.env);
const { ctx } = await openCtx(config, process.env['DATABASE_URL']!, createLogger(config)); // nodes.ts gives it
const app = await buildApp(ctx);
await ctx.jobs.work(ctx);
await app.listen({ port: config.port, host: config.host });
