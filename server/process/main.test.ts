import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../web/build.ts';
import { createTestApp } from '#server/test/app.ts';

const test = await createTestApp();
const folders: string[] = [];

beforeAll(() => ensureBuilt(() => {}), 240_000);
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-main-'));
  folders.push(folder);
  await chmod(folder, 0o755); // also for the account that runs root's database
  return folder;
}

/** The product as a separate process, with only these settings. */
function launch(settings: Record<string, string>) {
  const child = spawn(process.execPath, ['-e', "import('./server/process/main.ts').then(({ run }) => run())"], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], ROLE: 'worker', LOG_LEVEL: 'silent', DEMO_CONTENT: 'off', ...settings },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, errors }));
  return { child, ended };
}

describe('run', () => {
  it.each([
    ['DATABASE_URL', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
    ['HOST', { HOST: '999.1.1.1' }],
  ])('names %s in one line when it cannot connect', async (name, settings) => {
    const { ended } = launch({ DATABASE_URL: test.databaseUrl, DATA_DIR: await makeFolder(), PORT: '0', ...settings });
    const { code, errors } = await ended;
    expect(errors).toMatch(new RegExp(`^${name}: [^\n]+\n$`));
    expect(code).toBe(1);
  });

  it('names PORT in one line when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // it listens on a port
    const { ended } = launch({ DATABASE_URL: test.databaseUrl, DATA_DIR: await makeFolder(), PORT: String(port) });
    const { code, errors } = await ended;
    other.close();
    expect(errors).toMatch(/^PORT: [^\n]+EADDRINUSE[^\n]+\n$/);
    expect(code).toBe(1);
  });

  it('stops its database when it is stopped during the start', async () => {
    const dataDir = await makeFolder();
    const { child, ended } = launch({ DATA_DIR: dataDir, PORT: '0' });
    child.stdout.once('data', () => child.kill('SIGTERM')); // the first line: a database is being created
    expect(await ended).toEqual({ code: 0, errors: '' });
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});
