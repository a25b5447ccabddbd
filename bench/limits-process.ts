import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs limits.ts on a product's database. Append `/s`, `/q`, `/r` or `/i` to `url`. */
export async function startLimits(
  databaseUrl: string,
  communityId: string,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL('limits.ts', import.meta.url));
  const child = spawn(process.execPath, [script, databaseUrl, communityId], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${line.toString().trim()}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
