import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { locateNative, prepareBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { canRunAsOthers, giveFolder, query, Workshop } from './fixture.ts';
import { choosePlace, isRoot, parsePasswd } from './place.ts';
import { readPidFile } from './pid-file.ts';
import { obtainPostmaster, stopPostmaster } from './postmaster.ts';
import { freePort, urlOf as urlOfPort } from './probe.ts';
import { isPostmasterOf, isRunning, run, sleep } from './process.ts';
import { connectOrStartEmbedded, startEmbedded } from './embedded.ts';
import { migrate } from '../migrate.ts';
import { JOBS } from '#server/app/jobs.ts';
import { prepareJobs } from '#server/jobs/jobs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const log = () => {};
let shop: Workshop;

beforeEach(async () => {
  shop = new Workshop();
  await shop.open();
});
afterEach(() => shop.close());

function options(name = 'data') {
  return { dataDir: shop.path(name), systemDir: shop.path('system'), log };
}

async function accountNamed(name: string) {
  const found = parsePasswd(await readFile('/etc/passwd', 'utf8')).find((account) => account.name === name);
  if (!found) throw new Error(`no account ${name}`);
  return { uid: found.uid, gid: found.gid };
}

async function serverPid(cluster = shop.path('data', 'postgres')): Promise<number> {
  const found = await readPidFile(cluster);
  if (!found) throw new Error('no server');
  return found.pid;
}

async function urlOf(product: { report: Promise<{ url?: string }> }): Promise<string> {
  const report = await product.report;
  if (!report.url) throw new Error(JSON.stringify(report));
  return report.url;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await condition()); await sleep(5)) {
    if (Date.now() > deadline) throw new Error('waited in vain');
  }
}

/** As in earlier releases: the role is the cluster's superuser, and created its database with the first connection. */
async function makeEarlierDatabase(): Promise<{ url: string; cluster: string }> {
  const place = await choosePlace(shop.path('data'), shop.path('system'));
  const binaries = await prepareBinaries({
    native: locateNative(),
    account: place.account,
    copyDir: shop.path('system'),
  });
  const password = 'a'.repeat(64);
  const file = shop.path('password');
  await writeFile(file, password, { mode: 0o644 });
  await mkdir(place.cluster);
  if (place.account) await giveFolder(place.cluster, place.account);
  const args = ['--username=officium', `--pwfile=${file}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  expect((await run(binaries.initdb, [`--pgdata=${place.cluster}`, ...args], place.account)).output).toMatch(/Success/);
  await writeFile(shop.path('data', 'postgres.password'), password, { mode: 0o600 });
  const { port } = await obtainPostmaster(place, binaries, password);
  return { url: urlOfPort(port, password), cluster: place.cluster };
}

function locks(name = 'data'): Promise<string[]> {
  return readdir(shop.path(name, 'lock'));
}

test('a server that is killed while the product runs restarts under the same address', async () => {
  const server = await startEmbedded(options());
  await query(server.url, 'create table kept (n int)');
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(pid));
  await until(() =>
    query(server.url, 'select n from kept').then(
      () => true,
      () => false,
    ),
  );
  const next = await serverPid();
  expect(next).not.toBe(pid);
  await server.stop();
  expect(isRunning(next)).toBe(false);
});

describe('a start', () => {
  test('creates a safe, local database, keeps its rows and leaves no process behind', async () => {
    const first = await startEmbedded(options());
    const pid = await serverPid();
    const show = async (name: string) => Object.values((await query(first.url, `show ${name}`))[0] ?? {})[0];
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'])
      expect(await show(name)).toBe('on');
    expect(await show('listen_addresses')).toBe('127.0.0.1');
    expect(await readFile(shop.path('data', 'postgres', 'postmaster.opts'), 'utf8')).toContain(
      '"unix_socket_directories="',
    );
    expect(await show('wal_level')).toBe('replica');
    expect(
      await query(
        first.url,
        `select datlocprovider as p, datlocale as l, pg_encoding_to_char(encoding) as e from pg_database where datname = 'officium'`,
      ),
    ).toEqual([{ p: 'b', l: 'C.UTF-8', e: 'UTF8' }]);
    await expect(query(first.url.replace(/:\w+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/);
    expect((await stat(shop.path('data', 'postgres.password'))).mode & 0o777).toBe(0o600);
    await query(first.url, 'create table t as select 42 as n');
    await Promise.all([first.stop(), first.stop()]);
    expect(isRunning(pid)).toBe(false);
    expect(await locks()).toEqual([]);

    const second = await startEmbedded(options());
    expect(await query(second.url, 'select n from t')).toEqual([{ n: 42 }]);
    await second.stop();
  });

  test('gives the product a role that owns its database without being superuser, and locks out the superuser', async () => {
    const server = await startEmbedded(options());
    expect(await query(server.url, 'select rolname, rolsuper, rolcanlogin from pg_roles where rolcanlogin')).toEqual([
      { rolname: 'officium', rolsuper: false, rolcanlogin: true },
    ]);
    for (const attempt of [
      `select pg_read_file('/etc/passwd')`,
      `copy (select 1) to program 'true'`,
      'alter role officium superuser',
      'create role another',
      `alter system set log_statement = 'all'`,
      'set role postgres',
    ])
      await expect(query(server.url, attempt)).rejects.toThrow(/permission denied|must be/);
    expect((await migrate(server.url)).length).toBeGreaterThan(10);
    await prepareJobs(server.url, JOBS);
    await server.stop();
  });

  test("continues with an earlier release's database, whose role is a superuser", async () => {
    const { url, cluster } = await makeEarlierDatabase();
    expect(await query(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
      { rolsuper: true },
    ]);
    await query(url, 'create table kept as select 42 as n');
    const pid = await serverPid(cluster);
    process.kill(pid, 'SIGQUIT');
    await until(async () => (await readPidFile(cluster)) === undefined || !isRunning(pid));

    const server = await startEmbedded(options());
    expect(await query(server.url, 'select n from kept')).toEqual([{ n: 42 }]);
    await migrate(server.url);
    await server.stop();
  });

  test('repeats an initdb that was killed half way', async () => {
    const product = await shop.product('hold', options());
    const entries = () => readdir(shop.path('data')).catch((): string[] => []);
    await until(async () => (await entries()).some((name) => name.startsWith('postgres.init-')));
    await sleep(60);
    process.kill(product.pid, 'SIGKILL');
    await product.ended;
    expect(await entries()).not.toContain('postgres');
    await mkdir(shop.path('data', 'postgres.init-0123', 'data'), { recursive: true });
    await sleep(1_000);

    const server = await startEmbedded(options());
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect((await entries()).filter((name) => name.startsWith('postgres.init-'))).toEqual([]);
  });

  test('takes another port when a program was faster', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const taken = typeof address === 'object' && address ? address.port : 0;
    let asked = 0;
    other.on('connection', () => (asked += 1));
    const place = await choosePlace(shop.path('data'), shop.path('system'));
    const binaries = await prepareBinaries({
      native: locateNative(),
      account: place.account,
      copyDir: shop.path('system'),
    });
    const { password } = await prepareCluster(place, binaries, log);
    const ports = [taken, taken];
    const server = await obtainPostmaster(place, binaries, password, {
      pickPort: async () => ports.pop() ?? freePort(),
    });
    expect(server.port).not.toBe(taken);
    expect(asked).toBe(0);
    await stopPostmaster(server.pid, place.cluster, binaries);
    other.close();
  });

  test('does not keep alive a process that ends without stop, and its server ends too', async () => {
    const product = await shop.product('leave', options());
    await urlOf(product);
    const pid = await serverPid();
    expect(await product.ended).toBe(0);
    await until(() => !isRunning(pid));
  });
});

describe('after a kill', () => {
  async function killedWithRows(): Promise<{ url: string; pid: number }> {
    const product = await shop.product('hold', options());
    const url = await urlOf(product);
    const pid = await serverPid();
    await query(url, 'create table t as select generate_series(1, 1000) as n');
    process.kill(product.pid, 'SIGKILL');
    await product.ended;
    return { url, pid };
  }
  const countRows = async (url: string) => (await query(url, 'select count(*)::int as rows from t'))[0]?.rows;

  test('the remaining server is taken over, and stop ends it', async () => {
    const { url, pid } = await killedWithRows();
    const server = await startEmbedded(options());
    expect(server.url).toBe(url);
    expect(await countRows(server.url)).toBe(1000);
    await server.stop();
    expect(isRunning(pid)).toBe(false);
  });

  test('of both product and server, no committed row is lost', async () => {
    const { pid } = await killedWithRows();
    process.kill(pid, 'SIGKILL');
    const server = await startEmbedded(options());
    expect(await countRows(server.url)).toBe(1000);
    await server.stop();
  });

  test('an empty postmaster.pid does not prevent a start', async () => {
    const { pid } = await killedWithRows();
    process.kill(pid, 'SIGKILL');
    await writeFile(shop.path('data', 'postgres', 'postmaster.pid'), '');
    const server = await startEmbedded(options());
    expect(await countRows(server.url)).toBe(1000);
    await server.stop();
  });

  test('a backend of the killed server that still runs does not harm the new one', async () => {
    const { url, pid } = await killedWithRows();
    const busy = query(
      url,
      `do $$ declare until timestamptz := clock_timestamp() + interval '2 s'; begin while clock_timestamp() < until loop end loop; end $$`,
    );
    let isBusy = true;
    const done = () => {
      isBusy = false;
    };
    busy.then(done, done);
    await sleep(300);
    process.kill(pid, 'SIGKILL');
    const server = await startEmbedded(options());
    // Two servers on the same files would destroy them.
    expect(isBusy).toBe(false);
    expect(await countRows(server.url)).toBe(1000);
    await server.stop();
  });

  test('a server that is shutting down slowly is stopped and replaced', async () => {
    const { url, pid } = await killedWithRows();
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    process.kill(pid, 'SIGTERM');
    await sleep(200);
    expect(isRunning(pid)).toBe(true);
    const server = await startEmbedded(options());
    expect(isRunning(pid)).toBe(false);
    expect(await countRows(server.url)).toBe(1000);
    await server.stop();
    await client.end().catch(() => {});
  });

  test('a server that refuses our password is stopped, and the error names the reason', async () => {
    const { url, pid } = await killedWithRows();
    await query(url, `alter role officium password 'changed'`);
    await expect(startEmbedded(options())).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringMatching(/does not accept the password kept in .*data$/),
    });
    expect(isRunning(pid)).toBe(false);
    expect(await locks()).toEqual([]);
  });

  test.runIf(isRoot())(
    'a pid that now belongs to another program of the account is not taken for the server',
    async () => {
      const { pid } = await killedWithRows();
      const file = shop.path('data', 'postgres', 'postmaster.pid');
      const text = await readFile(file, 'utf8');
      process.kill(pid, 'SIGKILL');
      await until(() => !isRunning(pid));
      const { uid, gid } = await stat(file);
      const bystander = shop.bystander({ uid, gid });
      await writeFile(file, text.replace(String(pid), String(bystander.pid)));
      const server = await startEmbedded(options());
      expect(await countRows(server.url)).toBe(1000);
      await server.stop();
      expect(bystander.exitCode).toBe(null);
    },
  );

  test('Ctrl-C on the terminal ends the product and not the server', async () => {
    const product = await shop.product('hold', options());
    const url = await urlOf(product);
    const pid = await serverPid();
    process.kill(-product.pid, 'SIGINT');
    await product.ended;
    await sleep(300);
    expect(isPostmasterOf(pid, shop.path('data', 'postgres'))).toBe(true);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a folder in use', () => {
  test('is refused at once, with the folder and the process', async () => {
    const product = await shop.product('hold', options());
    await urlOf(product);
    const before = Date.now();
    await expect(startEmbedded(options())).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: `The data folder ${shop.path('data')} is in use by the process ${product.pid}`,
    });
    expect(Date.now() - before).toBeLessThan(5_000);
  });

  test('is refused within the same process, and free again after stop', async () => {
    const server = await startEmbedded(options());
    await expect(startEmbedded(options())).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    await server.stop();
    await (await startEmbedded(options())).stop();
  });

  test('is given to exactly one of many concurrent starts, also after a kill', async () => {
    for (let round = 0; round < 3; round += 1) {
      const products = await Promise.all(Array.from({ length: 6 }, () => shop.product('hold', options())));
      const reports = await Promise.all(products.map((product) => product.report));
      expect(reports.filter((report) => report.url)).toHaveLength(1);
      expect(reports.filter((report) => report.code === 'DATA_DIR_IN_USE')).toHaveLength(5);
      for (const product of products) product.child.kill('SIGKILL');
      await Promise.all(products.map((product) => product.ended));
    }
  });

  test('is used by tools through the running server, which they leave running', async () => {
    const product = await shop.product('hold', options());
    // As soon as it has the folder, so while its server is still starting.
    await until(async () => (await locks().catch(() => [])).length > 0);
    const tool = await connectOrStartEmbedded(options());
    expect(tool.url).toBe(await urlOf(product));
    await tool.stop();
    expect(await query(tool.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('is started and stopped by tools when no product runs', async () => {
    const tool = await connectOrStartEmbedded(options());
    const pid = await serverPid();
    await tool.stop();
    expect(isRunning(pid)).toBe(false);
  });
});

describe.runIf(isRoot())('accounts', () => {
  test.runIf(canRunAsOthers)('an ordinary user runs it under their own account, in their own folder', async () => {
    const nobody = await accountNamed('nobody');
    await mkdir(shop.path('home'), { mode: 0o700 });
    await giveFolder(shop.path('home'), nobody);
    for (let round = 0; round < 2; round += 1) {
      const product = await shop.product('stop', options('home/data'), nobody);
      await urlOf(product);
      expect(await product.ended).toBe(0);
    }
    expect((await stat(shop.path('home', 'data', 'postgres'))).uid).toBe(nobody.uid);
    // Root, as for a command-line tool, then runs it as that user and locks nobody out.
    await (await startEmbedded(options('home/data'))).stop();
    await urlOf(await shop.product('stop', options('home/data'), nobody));
  });

  test('root runs it as another account, inside the folder where that account can enter', async () => {
    const server = await startEmbedded(options());
    expect((await stat(shop.path('data', 'postgres'))).uid).not.toBe(0);
    expect(await readdir(shop.path('data'))).not.toContain('postgres.place');
    await server.stop();
  });

  test('root runs it elsewhere when only root may enter the folder, and finds it after a move', async () => {
    await mkdir(shop.path('closed'), { mode: 0o700 });
    const first = await startEmbedded(options('closed/data'));
    await query(first.url, 'create table t as select 42 as n');
    await first.stop();
    const home = (await readFile(shop.path('closed', 'data', 'postgres.place'), 'utf8')).trim();
    expect(home.startsWith(shop.path('system'))).toBe(true);

    await rename(shop.path('closed', 'data'), shop.path('closed', 'moved'));
    const second = await startEmbedded(options('closed/moved'));
    expect(await query(second.url, 'select n from t')).toEqual([{ n: 42 }]);
    // A copy of the folder points at the same database, so it counts as the same folder.
    await cp(shop.path('closed', 'moved'), shop.path('closed', 'copy'), { recursive: true });
    await expect(startEmbedded(options('closed/copy'))).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    await second.stop();

    await rm(home, { recursive: true });
    await expect(startEmbedded(options('closed/moved'))).rejects.toMatchObject({ code: 'DATA_MISSING' });
  });

  test('root creates a new database where a folder was moved or removed, and leaves its database alone', async () => {
    const start = async (folder: string) => {
      await mkdir(shop.path('closed'), { mode: 0o700, recursive: true });
      return await startEmbedded(options(folder));
    };
    const first = await start('closed/data');
    await query(first.url, 'create table t as select 42 as n');
    await first.stop();
    await rename(shop.path('closed', 'data'), shop.path('closed', 'moved'));

    const second = await start('closed/data');
    expect(await query(second.url, `select to_regclass('t') as t`)).toEqual([{ t: null }]);
    await second.stop();
    await rm(shop.path('closed', 'data'), { recursive: true });
    await (await start('closed/data')).stop();
    const again = await start('closed/moved');
    expect(await query(again.url, 'select n from t')).toEqual([{ n: 42 }]);
    await again.stop();

    // A first start that stopped between creating the database and noting its location continues with it.
    await rm(shop.path('closed', 'data', 'postgres.place'));
    await (await start('closed/data')).stop();
    const homes = (await readdir(shop.path('system'))).filter((name) => !name.startsWith('bin-'));
    expect(homes).toHaveLength(3);
  });

  test('a database restored by root, owned by root and open to all, is handed over', async () => {
    const first = await startEmbedded(options());
    await query(first.url, 'create table t as select 42 as n');
    await first.stop();
    await cp(shop.path('data'), shop.path('restored'), { recursive: true });
    await chmod(shop.path('restored', 'postgres'), 0o755);
    expect((await stat(shop.path('restored', 'postgres'))).uid).toBe(0);
    const second = await startEmbedded(options('restored'));
    expect(await query(second.url, 'select n from t')).toEqual([{ n: 42 }]);
    await second.stop();
  });

  test.runIf(canRunAsOthers)('a user id without an account is reported', async () => {
    await mkdir(shop.path('home'));
    await giveFolder(shop.path('home'), { uid: 54321, gid: 54321 });
    const product = await shop.product('stop', options('home'), { uid: 54321, gid: 54321 });
    expect(await product.report).toMatchObject({ code: 'NO_ACCOUNT', message: expect.stringContaining('54321') });
  });
});

describe('an error', () => {
  const oneLine = (code: string, part: RegExp) => ({
    code,
    message: expect.stringMatching(new RegExp(`^(?!.*\\n).*${part.source}`)),
  });

  test('names the other major version that created the database', async () => {
    await (await startEmbedded(options())).stop();
    await writeFile(shop.path('data', 'postgres', 'PG_VERSION'), '17\n');
    await expect(startEmbedded(options())).rejects.toMatchObject(oneLine('OTHER_MAJOR_VERSION', /PostgreSQL 17 .* 18/));
    expect(await locks()).toEqual([]);
  });

  test('reports a missing password', async () => {
    await (await startEmbedded(options())).stop();
    await rm(shop.path('data', 'postgres.password'));
    await expect(startEmbedded(options())).rejects.toMatchObject(
      oneLine('DATA_MISSING', /postgres\.password is missing/),
    );
  });

  test('reports a folder in the way that is no database', async () => {
    await mkdir(shop.path('data', 'postgres', 'holiday'), { recursive: true });
    await expect(startEmbedded(options())).rejects.toMatchObject(
      oneLine('START_FAILED', /is not a PostgreSQL database/),
    );
  });

  test("contains PostgreSQL's own message when it does not start", async () => {
    await (await startEmbedded(options())).stop();
    await writeFile(shop.path('data', 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n');
    await expect(startEmbedded(options())).rejects.toMatchObject(oneLine('START_FAILED', /configuration file/));
  });

  test('reports that there is no writable folder', async () => {
    await writeFile(shop.path('file'), '');
    await expect(startEmbedded(options('file/data'))).rejects.toMatchObject(oneLine('NO_WRITABLE_PLACE', /file\/data/));
    if (!isRoot()) return;
    await mkdir(shop.path('closed'), { mode: 0o700 });
    const closed = { ...options('closed/data'), systemDir: shop.path('file', 'system') };
    await expect(startEmbedded(closed)).rejects.toMatchObject(
      oneLine('NO_WRITABLE_PLACE', /cannot enter .*closed.* fails/),
    );
  });
});
