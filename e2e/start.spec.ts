import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startEmbedded } from '../server/db/embedded/embedded.ts';
import { openProxy } from '../server/test/standby.ts';
import { inspect } from './axe.ts';
import { freePort, startProduct } from './product.ts';
import { visit } from './visitor.ts';

const folder = await mkdtemp(join(tmpdir(), 'officium-start-'));
await chmod(folder, 0o755); // as root, the database runs under another account, which must enter the folder
afterAll(() => rm(folder, { recursive: true, force: true }));
const isEmbedded = !process.env['DATABASE_URL'];
const dataDir = join(folder, 'data');
const plain = {
  DEMO_CONTENT: 'off',
  DATA_DIR: dataDir,
  ADMIN_EMAIL: 'first@example.gov',
  ADMIN_PASSWORD: 'a first password',
};

async function signIn(url: string): Promise<number> {
  const reply = await fetch(`${url}/api/auth/logins`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: plain.ADMIN_EMAIL, password: plain.ADMIN_PASSWORD }),
  });
  return reply.status;
}

describe.runIf(isEmbedded)('the product on its own database', () => {
  it('keeps acknowledged writes through kill -9 and starts again', async () => {
    const first = await startProduct(plain);
    expect(await signIn(first.url)).toBe(200);
    process.kill(first.pid, 'SIGKILL');
    const second = await startProduct(plain);
    expect(await signIn(second.url)).toBe(200);
    await second.stop();
  });

  it('refuses a second start on the same folder with one line, and the first continues', async () => {
    const first = await startProduct(plain);
    try {
      const second = spawn(process.execPath, ['server/process/start.js'], {
        cwd: new URL('..', import.meta.url),
        env: { ...process.env, ...plain, NODE_ENV: 'production', PORT: String(await freePort()) },
      });
      let output = '';
      second.stderr.on('data', (chunk) => (output += chunk));
      const code = await new Promise((ended) => second.on('exit', ended));
      expect(code).toBe(1);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(output).toContain(dataDir);
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    } finally {
      await first.stop();
    }
  });
});

describe.runIf(isEmbedded)('the status page', () => {
  it('says that the site does not work while PostgreSQL is stopped, and that it works again', async () => {
    const startDatabase = () => startEmbedded({ dataDir: join(folder, 'database'), log: () => {} });
    let database = await startDatabase();
    const address = await openProxy(database.url); // a new start takes another port
    const lead = () => address.connectTo(Number(new URL(database.url).port));
    lead();
    const product = await startProduct({ ...plain, DATA_DIR: join(folder, 'beside'), DATABASE_URL: address.url });
    try {
      const { page, faults } = await visit({ baseURL: product.url });
      await page.goto('/status');
      await page.getByText('Everything works.').waitFor();
      await database.stop();
      const says = async (text: string) => {
        const reply = await page.goto('/status');
        return reply?.status() === 200 && (await page.getByText(text).isVisible());
      };
      const within = { timeout: 60_000, interval: 1_000 };
      await expect.poll(() => says('The site is not available at the moment.'), within).toBe(true);
      expect(await page.getByRole('term').allTextContents()).toHaveLength(5);
      expect(await page.getByRole('definition').allTextContents()).toEqual([
        'Does not work',
        'Works',
        'Not known',
        'Not known',
        'Not known',
      ]);
      expect((await inspect(page)).faults).toEqual([]);
      database = await startDatabase();
      lead();
      await expect.poll(() => says('Everything works.'), within).toBe(true);
      expect(faults).toEqual([]);
    } finally {
      await product.stop();
      await address.close();
      await database.stop();
    }
  });
});

describe('an invalid setting', () => {
  it('stops the start with one line that names it', async () => {
    const child = spawn(process.execPath, ['server/process/start.js'], {
      cwd: new URL('..', import.meta.url),
      env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, SERVICE_API_KEYS: 'one:short' },
    });
    let output = '';
    child.stderr.on('data', (chunk) => (output += chunk));
    expect(await new Promise((ended) => child.on('exit', ended))).toBe(1);
    expect(output.trim()).toBe('SERVICE_API_KEYS: the key of one must have at least 32 characters');
  });
});

describe('SIGTERM', () => {
  it('finishes requests in flight and exits with 0', async () => {
    const product = await startProduct({ DEMO_CONTENT: 'off' });
    const replies = Array.from({ length: 20 }, () =>
      fetch(`${product.url}/api/openapi.json`).then((reply) => reply.status),
    );
    const silent = connect(Number(new URL(product.url).port), 'localhost').on('error', () => {}); // browsers open such idle connections
    await once(silent, 'connect');
    const stopped = product.stop(); // by SIGTERM
    const seen = await Promise.allSettled(replies);
    expect(
      seen.filter((outcome) => outcome.status === 'fulfilled' && outcome.value >= 500 && outcome.value !== 503),
    ).toEqual([]);
    await stopped;
    expect(product.exitCode()).toBe(0);
  });
});
