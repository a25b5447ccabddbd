import { join } from 'node:path';
import { freePort } from '../../server/test/process.ts';
import { startChild, untilReady } from './child.ts';
import { listens } from './nginx.ts';
import type { Workshop } from './workshop.ts';

/** Redis without persistence: the product may lose what it stores there. */
export async function startRedis(workshop: Workshop): Promise<{ url: string }> {
  const port = await freePort();
  const log = join(workshop.folder, 'redis.log');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = startChild('/usr/bin/redis-server', args, { log, cwd: await workshop.place('redis') });
  workshop.atEnd(async () => {
    child.kill('SIGTERM');
    await child.ended;
  });
  await untilReady('Redis', child, async () => await listens(port));
  return { url: `redis://127.0.0.1:${port}` };
}
