import pino from 'pino';
import { afterAll } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { openCtx } from '#server/app/open.ts';
import type { TestApp } from './app.ts';

/** A second instance of the product on a test's database, with caches of its own. Closed after the file. */
export async function openOtherNode(test: Pick<TestApp, 'ctx' | 'databaseUrl'>) {
  const other = await openCtx(test.ctx.config, test.databaseUrl, pino({ level: 'silent' }));
  const app = await buildApp(other.ctx);
  afterAll(async () => {
    await app.close();
    await other.close();
  });
  return app;
}
