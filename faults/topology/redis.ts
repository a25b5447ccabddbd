import { join } from 'node:path';
import { freePort } from '../../server/test/process.ts';
import { startChild, until } from './child.ts';
import { listens } from './nginx.ts';
import type { Workshop } from './workshop.ts';

/** Redis that keeps nothing: what it is used for may be lost. */
export async function startRedis(shop: Workshop): Promise<{ url: string }> {
  const port = await freePort();
  const log = join(shop.folder, 'redis.log');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = startChild('/usr/bin/redis-server', args, { log, cwd: await shop.place('redis') });
  shop.atEnd(async () => {
    child.kill('SIGTERM');
    await child.ended;
  });
  await until('Redis listens', async () => {
    if (child.exitCode() !== undefined) throw new Error(`Redis ended: ${(await child.said()).slice(-2000)}`);
    return await listens(port);
  });
  return { url: `redis://127.0.0.1:${port}` };
}
