import pino from 'pino';
import { afterAll } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { openCtx } from '#server/app/open.ts';
import type { TestApp } from './app.ts';

/** Another process of the product on the database of a test, as far as memories go; it ends with the file. */
export async function openOtherNode(test: Pick<TestApp, 'ctx' | 'databaseUrl'>) {
  const other = await openCtx(test.ctx.config, test.databaseUrl, pino({ level: 'silent' }));
  const app = await buildApp(other.ctx);
  afterAll(async () => {
    await app.close();
    await other.close();
  });
  return app;
}
