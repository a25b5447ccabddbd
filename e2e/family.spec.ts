import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Product, startProduct } from './product.ts';

const folder = await mkdtemp(join(tmpdir(), 'officium-family-'));
await chmod(folder, 0o755); // as root, the database runs under another account, which must enter the folder
afterAll(() => rm(folder, { recursive: true, force: true }));
const settings = { WEB_PROCESSES: '2', DEMO_CONTENT: 'off', DATA_DIR: join(folder, 'data') };
const isLinux = existsSync('/proc/self/stat');

/** The child processes of a supervisor. */
function membersOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => {
      try {
        const stat = readFileSync(`/proc/${other}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return (
          Number(parent) === pid && state !== 'Z' && readFileSync(`/proc/${other}/cmdline`, 'utf8').includes('start.js')
        );
      } catch {
        return false; // the process has ended
      }
    });
}

/** Sends a request on a new connection, so that the processes take turns. Undefined without a response. */
async function ask(url: string): Promise<{ status: number; text: string } | undefined> {
  return await new Promise((answer) => {
    request(url, { agent: false }, (reply) => {
      let text = '';
      reply.on('data', (chunk: Buffer) => (text += chunk));
      reply.on('end', () => answer({ status: reply.statusCode ?? 0, text }));
      reply.on('error', () => answer(undefined));
    })
      .on('error', () => answer(undefined))
      .end();
  });
}

/** Starts a product that is stopped at the end of the test in any case. */
async function startAndStop(given: Record<string, string>): Promise<Product> {
  const product = await startProduct(given);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await product.stop();
    isStopped = true;
  };
  onTestFinished(stop, 60_000);
  return { ...product, stop };
}

const processesOf = async ({ url }: Product) =>
  Number(/^officium_processes (\d+)$/m.exec((await ask(`${url}/metrics`))?.text ?? '')?.[1]);
const waitForBoth = (product: Product) =>
  vi.waitFor(async () => expect(await processesOf(product)).toBe(2), { timeout: 90_000, interval: 250 });

describe.runIf(isLinux)('the product with several processes', () => {
  it('shares rate limits and aggregates metrics across processes', { timeout: 240_000 }, async () => {
    const product = await startAndStop({ ...settings, RATE_LIMITS: 'on' });
    await waitForBoth(product);
    for (let n = 0; n < 20; n += 1) await ask(`${product.url}/healthz`);
    const statuses = [];
    for (let n = 0; n < 16; n += 1)
      statuses.push((await ask(`${product.url}/api/auth/users/a${n}@example.gov`))?.status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), ...Array<number>(6).fill(429)]);
    const { text = '' } = (await ask(`${product.url}/metrics`)) ?? {};
    expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 20$/m);
    expect(text.match(/^process_resident_memory_bytes\{process="\d"\}/gm)?.sort()).toEqual([
      'process_resident_memory_bytes{process="0"}',
      'process_resident_memory_bytes{process="1"}',
    ]);
    await product.stop();
    expect(product.exitCode()).toBe(0);
  });

  it(
    'replaces a killed process while the others serve, and stops under load with exit code 0',
    { timeout: 240_000 },
    async () => {
      const product = await startAndStop(settings);
      await waitForBoth(product);
      const before = membersOf(product.pid);
      expect(before).toHaveLength(2);
      process.kill(before[1]!, 'SIGKILL');
      await vi.waitFor(() => expect(membersOf(product.pid)).not.toContain(before[1]));
      const during = await Promise.all(Array.from({ length: 50 }, () => ask(`${product.url}/readyz`)));
      expect(during.map((reply) => reply?.status)).toEqual(Array<number>(50).fill(200));
      await waitForBoth(product);
      expect(membersOf(product.pid)).toContain(before[0]);

      // A process stopped individually finishes its requests and is replaced.
      process.kill(before[0]!, 'SIGTERM');
      await vi.waitFor(() => expect(membersOf(product.pid)).not.toContain(before[0]), { timeout: 30_000 });
      await waitForBoth(product);

      const load = Array.from({ length: 40 }, () => ask(`${product.url}/login`));
      const family = membersOf(product.pid);
      const stopped = product.stop();
      const seen = (await Promise.all(load)).flatMap((reply) => (reply ? [reply.status] : []));
      expect(seen.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      await stopped;
      expect(product.exitCode()).toBe(0);
      expect(family.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    },
  );

  it('releases port and data when its supervisor is killed', { timeout: 240_000 }, async () => {
    const first = await startAndStop(settings);
    await waitForBoth(first);
    const family = membersOf(first.pid);
    process.kill(first.pid, 'SIGKILL');
    await vi.waitFor(() => expect(family.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), { timeout: 20_000 });
    expect(await ask(`${first.url}/healthz`)).toBeUndefined();
    const { port } = new URL(first.url);
    const second = await startAndStop({ ...settings, PORT: port });
    await second.stop();
    expect(second.exitCode()).toBe(0);
  });
});
