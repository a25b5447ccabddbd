import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hashPassword } from '#server/areas/auth/password-hash.service.ts';
import { newId } from '#server/db/client.ts';
import { DEMO_PASSWORD } from '#server/published-password.ts';
import { createDatabase, dropDatabase, query, withDatabase } from '#server/test/cluster.ts';
import { startIdentityProvider, type TestProvider } from '#server/test/identity-provider.ts';
import { type ObjectStore, startObjectStore } from '#server/test/object-store.ts';
import { freePort, portOf, ROOT } from '#server/test/process.ts';
import { hasRedis, type RedisServer, startRedis } from '#server/test/redis-server.ts';
import { judgeConnections, judgeDatabase, judgeMigrations, judgeReplica, judgeSkew } from './database.policy.ts';
import { examine } from './examine.ts';
import { judgeSpace } from './files.check.ts';
import type { Diagnosis } from './diagnosis.ts';
import { judgeDomain } from './mail.check.ts';
import type { Machine } from './machine.check.ts';
import { judgeRedis } from './redis.check.ts';
import { report } from './report.ts';
import { findMisspelt, readUsable } from './settings.check.ts';

type Settings = Record<string, string>;

const MACHINE: Machine = { node: '24.21.0', files: 65_536, memory: 16 * 2 ** 30, isBuilt: true };
const ROLE_PASSWORD = 'a-role-that-owns-one-database';
const SECRET = 'Zk3vQ9xN7bLpR2mW8sTfY4hJ6dGcA1eu';
const MAIL_PASSWORD = 'mail+Secret9';

const role = `doctor_${newId().replaceAll('-', '')}`;
let folder: string;
let databaseUrl: string;
let mail: SMTPServer;
let received: string[];
let provider: TestProvider;
let store: ObjectStore;
let redis: RedisServer | undefined;
let healthy: Settings;
let unused: number;

/** An answer of a service that stands where another is expected. */
const stranger = createServer(
  (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
);

async function startMail(): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ password }, _, done) =>
      password === MAIL_PASSWORD ? done(null, { user: 'officium' }) : done(new Error('Wrong password')),
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith('unknown') ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
    onData(stream, session, done) {
      received.push(...session.envelope.rcptTo.map(({ address }) => address));
      stream.resume().on('end', () => done(null));
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'officium-doctor-'));
  received = [];
  const adminUrl = inject('adminUrl');
  await query(adminUrl, `create role ${role} login password '${ROLE_PASSWORD}'`);
  const url = new URL(await createDatabase(adminUrl, role, inject('template')));
  await query(adminUrl, `alter database ${role} owner to ${role}`);
  await query(url.href, `grant all on all tables in schema public to ${role}`);
  await query(
    url.href,
    `insert into users (id, email, name, role) values ('${newId()}', 'boss@city.gov', 'Boss', 'administrator')`,
  );
  url.username = role;
  url.password = ROLE_PASSWORD;
  databaseUrl = url.href;
  mail = await startMail();
  provider = await startIdentityProvider();
  store = await startObjectStore('doctor');
  redis = hasRedis ? await startRedis() : undefined;
  await new Promise<void>((ready) => stranger.listen(0, '127.0.0.1', ready));
  unused = await freePort();
  healthy = {
    NODE_ENV: 'test',
    PORT: String(await freePort()),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: `smtp://officium:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:${portOf(mail.server)}`,
    SECRET_KEY: SECRET,
    STORAGE_URL: store.storageUrl,
    ...(redis && { REDIS_URL: redis.url }),
    ...provider.settings,
  };
  await mkdir(healthy['DATA_DIR']!, { mode: 0o700 }); // set above
}, 60_000);

afterAll(async () => {
  await new Promise<void>((closed) => mail.close(closed));
  await provider.stop();
  await store.stop();
  await redis?.kill();
  stranger.close();
  await dropDatabase(inject('adminUrl'), role);
  await query(inject('adminUrl'), `drop role ${role}`);
  await rm(folder, { recursive: true, force: true });
});

async function findingsOf(settings: Settings, machine = MACHINE): Promise<Diagnosis[]> {
  const { sections } = await examine({ ...healthy, ...settings }, { machine });
  return sections.flatMap(({ findings }) => findings);
}

/** The findings about a setting that are not right, as `message → remedy`. */
async function complaints(about: string, settings: Settings, machine = MACHINE): Promise<string[]> {
  const findings = await findingsOf(settings, machine);
  return findings
    .filter((finding) => finding.about === about && finding.verdict !== 'right')
    .map(({ verdict, message, remedy }) => `${verdict}: ${message} → ${remedy}`);
}

const port = (server: { address(): ReturnType<typeof stranger.address> }) => portOf(server);

describe('doctor', () => {
  it('finds nothing wrong with a healthy installation', async () => {
    const examination = await examine(healthy, { machine: MACHINE, mail: 'you@city.gov' });
    const wrong = examination.sections.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'wrong');
    // The server of a test run waits for no disk.
    expect(wrong.filter(({ message }) => !message.includes('fsync'))).toEqual([]);
    expect(examination.isWell).toBe(wrong.length === 0);
    expect(received).toEqual(['you@city.gov']);
    const text = report(examination);
    for (const line of ['PostgreSQL', 'accepts the password', 'knows the client', 'written, read and deleted'])
      expect(text).toContain(line);
    if (redis) expect(text).toMatch(/(?:Redis|Valkey) \d/);
    expect(await store.keys()).toEqual(['check']);
  });

  /** Each: the setting it is about, the wrong settings, and what the report must say with its remedy. */
  const PUBLIC = { PUBLIC_URL: 'https://learn.invalid', TRUST_PROXY: '127.0.0.1' };
  const mistakes: [name: string, about: string, settings: () => Settings, expected: RegExp][] = [
    ['an invalid setting', 'ROLE', () => ({ ROLE: 'webb' }), /wrong: .*configuration\.md/],
    ['a misspelt setting', 'SMTP_URI', () => ({ SMTP_URI: 'smtp://x' }), /SMTP_URL.*Remove SMTP_URI/],
    [
      'a wrong password of the database',
      'DATABASE_URL',
      () => ({ DATABASE_URL: databaseUrl.replace(ROLE_PASSWORD, 'nonsense') }),
      /password is wrong → Correct PGPASSWORD/,
    ],
    [
      'a database that does not exist',
      'DATABASE_URL',
      () => ({ DATABASE_URL: withDatabase(databaseUrl, 'doctor_none') }),
      /does not exist → .*database-role\.sql/,
    ],
    [
      'a database that does not listen',
      'DATABASE_URL',
      () => ({ DATABASE_URL: 'postgres://officium@127.0.0.1:1/officium' }),
      /nothing listens there → Start/,
    ],
    [
      'a superuser as role',
      'DATABASE_URL',
      () => ({ DATABASE_URL: withDatabase(inject('adminUrl'), role) }),
      /superuser.*database-role\.sql/,
    ],
    [
      'a primary as replica',
      'DATABASE_REPLICA_URL',
      () => ({ DATABASE_REPLICA_URL: databaseUrl }),
      /leads to a primary.*→ .*standby/,
    ],
    [
      'another database behind the pooler',
      'DATABASE_DIRECT_URL',
      () => ({ DATABASE_DIRECT_URL: withDatabase(inject('adminUrl'), 'postgres') }),
      /another database than DATABASE_URL → /,
    ],
    ['an http address', 'PUBLIC_URL', () => ({ ...PUBLIC, PUBLIC_URL: 'http://learn.invalid' }), /not https.*proxy/],
    ['a name without DNS', 'PUBLIC_URL', () => PUBLIC, /does not resolve → .*DNS/],
    ['an address with a path', 'PUBLIC_URL', () => ({ PUBLIC_URL: 'http://localhost:1/learn' }), /path \/learn.*root/],
    [
      'something else under the address',
      'PUBLIC_URL',
      () => ({ PUBLIC_URL: `http://localhost:${port(stranger)}` }),
      /something else.*\(200\) → .*proxy/,
    ],
    ['an unknown proxy', 'TRUST_PROXY', () => ({ ...PUBLIC, TRUST_PROXY: '' }), /share its limits → Set the address/],
    [
      'a wrong password of the mail server',
      'SMTP_URL',
      () => ({ SMTP_URL: `smtp://officium:nonsense@127.0.0.1:${portOf(mail.server)}` }),
      /refuses user name and password → Correct/,
    ],
    [
      'a mail server that does not listen',
      'SMTP_URL',
      () => ({ SMTP_URL: `smtp://127.0.0.1:${unused}` }),
      /nothing listens there → Start/,
    ],
    [
      'TLS at once where the mail server expects STARTTLS',
      'SMTP_URL',
      () => ({ SMTP_URL: `smtps://127.0.0.1:${portOf(mail.server)}` }),
      /no TLS at once on port \d+ → Use smtp:/,
    ],
    ['no mail server', 'SMTP_URL', () => ({ ...PUBLIC, SMTP_URL: '' }), /nobody gets a mail → Set it/],
    ['a sender of an example', 'MAIL_FROM', () => ({ ...PUBLIC, MAIL_FROM: 'a@learn.example.gov' }), /own domain/],
    [
      'an issuer with another spelling',
      'OIDC_ISSUER',
      () => ({ OIDC_ISSUER: `${provider.issuer}/` }),
      /calls itself .* → .*exactly/,
    ],
    [
      'an issuer that is none',
      'OIDC_ISSUER',
      () => ({ OIDC_ISSUER: `http://localhost:${port(stranger)}` }),
      /not JSON/,
    ],
    [
      'a wrong secret of the client',
      'OIDC_CLIENT_SECRET',
      () => ({ OIDC_CLIENT_SECRET: 'nonsense' }),
      /invalid_client.*→ Correct OIDC_CLIENT_ID/,
    ],
    [
      'a bucket that does not exist',
      'STORAGE_URL',
      () => ({ STORAGE_URL: store.storageUrl.replace('doctor', 'nothing') }),
      /does not exist or access is denied.*AWS_ACCESS_KEY_ID/,
    ],
    [
      'a file store that does not listen',
      'STORAGE_URL',
      () => ({ STORAGE_URL: 's3://doctor?endpoint=http://127.0.0.1:1' }),
      /nothing listens there/,
    ],
    [
      'a model that is not there',
      'AI_BASE_URL',
      () => ({ AI_PROVIDER: 'openai-compatible', AI_BASE_URL: `http://127.0.0.1:${unused}/v1`, AI_MODEL_FAST: 'm' }),
      /nothing listens there → Start/,
    ],
    [
      'a translation service that is another',
      'APERTIUM_URL',
      () => ({ TRANSLATION_PROVIDER: 'apertium', APERTIUM_URL: `http://127.0.0.1:${port(stranger)}` }),
      /not JSON → Check APERTIUM_URL/,
    ],
    ['a secret of an example', 'SECRET_KEY', () => ({ SECRET_KEY: 'change-me-change-me-change-me-change' }), /openssl/],
    ['a secret with two letters', 'SECRET_KEY', () => ({ SECRET_KEY: 'ab'.repeat(20) }), /few different.*openssl/],
    ['the same secret twice', 'SECRET_KEY', () => ({ METRICS_TOKEN: SECRET }), /the same as METRICS_TOKEN.*openssl/],
    [
      'an administrator of an example',
      'ADMIN_EMAIL',
      () => ({ ...PUBLIC, ADMIN_EMAIL: 'you@example.gov', ADMIN_PASSWORD: 'correct horse battery' }),
      /example file.*Replace/,
    ],
  ];
  it.each(mistakes)('names %s, and what to do', { timeout: 30_000 }, async (_, about, settings, expected) => {
    expect(await complaints(about, settings())).toContainEqual(expect.stringMatching(expected));
  });

  it.runIf(hasRedis)('names a wrong password of Redis, and a port where it is not', async () => {
    const address = new URL(redis!.url); // runs only with Redis
    address.password = 'nonsense';
    expect(await complaints('REDIS_URL', { REDIS_URL: address.href })).toEqual([
      expect.stringMatching(/refuses the password → Correct/),
    ]);
    const [complaint] = await complaints('REDIS_URL', { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(complaint).toMatch(/nothing listens there/);
  });

  it('names a data folder that others can write, files and keys that they can read, and a folder that is none', async () => {
    const open = join(folder, 'open');
    await mkdir(open);
    await writeFile(join(open, 'secret.key'), SECRET);
    await mkdir(join(open, 'files'));
    for (const [path, mode] of [
      ['', 0o757],
      ['files', 0o755],
      ['secret.key', 0o644],
    ] as const)
      await chmod(join(open, path), mode);
    expect(await complaints('DATA_DIR', { DATA_DIR: open })).toEqual([
      expect.stringMatching(/can write .*open → chmod o-w/),
      expect.stringMatching(/can read .*files → chmod 700/),
      expect.stringMatching(/secret\.key → chmod 600/),
    ]);
    await chmod(open, 0o750);
    expect(await complaints('DATA_DIR', { DATA_DIR: open })).toEqual([]);
    const [complaint] = await complaints('DATA_DIR', { DATA_DIR: join(open, 'secret.key') });
    expect(complaint).toMatch(/is not a folder/);
  });

  it('names a database that knows only ASCII, and one in another encoding', async () => {
    const adminUrl = inject('adminUrl');
    for (const [name, options, expected] of [
      [`${role}_c`, `encoding 'UTF8' lc_ctype 'C'`, /LC_CTYPE is C.*C\.UTF-8/],
      [`${role}_l`, `encoding 'LATIN1' lc_ctype 'C'`, /encoding is LATIN1.*UTF8/],
    ] as const) {
      await query(
        adminUrl,
        `create database ${name} template template0 locale_provider libc lc_collate 'C' ${options}`,
      );
      const found = await complaints('DATABASE_URL', { DATABASE_URL: withDatabase(adminUrl, name) });
      await dropDatabase(adminUrl, name);
      expect(found).toContainEqual(expect.stringMatching(expected));
    }
  });

  it('names the published password of a demo account that others can reach, and a missing administrator', async () => {
    const name = `${role}_demo`;
    const url = await createDatabase(inject('adminUrl'), name, inject('template'));
    const settings = { ...PUBLIC, DATABASE_URL: url };
    expect(await complaints('ADMIN_EMAIL', settings)).toEqual([expect.stringMatching(/nobody is an administrator/)]);
    await query(
      url,
      `insert into users (id, email, name, role, password_hash) values
        ('${newId()}', 'admin@example.gov', 'Demo', 'administrator', '${await hashPassword(DEMO_PASSWORD)}')`,
    );
    const found = await complaints('Demo accounts', settings);
    await dropDatabase(inject('adminUrl'), name);
    expect(found).toEqual([expect.stringMatching(/README publishes/)]);
  });

  it('names an old Node, little memory and few open files', async () => {
    const small = { ...MACHINE, node: '22.1.0', files: 256, memory: 200 * 2 ** 20 };
    expect(await complaints('Node', {}, small)).toEqual([expect.stringMatching(/too old/)]);
    expect(await complaints('WEB_PROCESSES', {}, small)).toEqual([expect.stringMatching(/200 MiB/)]);
    expect(await complaints('Open files', {}, small)).toEqual([expect.stringMatching(/LimitNOFILE/)]);
  });

  it('says when there is no server for a test message, and when one refuses it', async () => {
    const noServer = await examine({ ...healthy, SMTP_URL: '' }, { machine: MACHINE, mail: 'you@city.gov' });
    expect(report(noServer)).toContain('✗ --mail: there is no mail server');
    const refused = await examine(healthy, { machine: MACHINE, mail: 'unknown@city.gov' });
    expect(report(refused)).toContain('✗ --mail: the server refused the message (550 to RCPT TO)');
  });

  it('ends with 1 when something is wrong, with JSON on request, and with 2 for wrong arguments', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, ['server/cli/doctor.ts', ...args], {
        cwd: ROOT,
        env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'none'), NODE_ENV: 'test', ROLE: 'webb' },
        encoding: 'utf8',
      });
    const { status, stdout } = run('--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([1, { isWell: false }]);
    expect(run()).toMatchObject({ status: 1, stdout: expect.stringContaining('✗ ROLE: ') });
    expect(run('--mail', 'nobody')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage: ') });
  });

  it('prints no secret, whatever is wrong', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const secrets: Settings = {
      DATABASE_URL: `postgres://officium:dbS3cret%25@127.0.0.1:1/officium`,
      DATABASE_REPLICA_URL: `postgres://officium:replicaS3cret@nowhere.invalid/officium`,
      SMTP_URL: 'smtp://officium:smtpS3cret@127.0.0.1:1',
      REDIS_URL: 'redis://:redisS3cret@127.0.0.1:1',
      OIDC_CLIENT_SECRET: 'oidcS3cret',
      SECRET_KEY: 'shortS3cret',
      CREDENTIAL_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      SERVICE_API_KEYS: 'hr:tooS3cret',
      STRIPE_SECRET_KEY: 'pk_S3cret',
      ADMIN_PASSWORD: 'adminS3cret',
      AI_PROVIDER: 'google',
      AI_API_KEY: 'modelS3cret with a space',
      SMTP_PASSWORT: 'strayS3cret',
    };
    const examination = await examine({ ...healthy, ...secrets }, { machine: MACHINE });
    const text = report(examination) + JSON.stringify(examination);
    expect(examination.isWell).toBe(false);
    expect(text).not.toMatch(/S3cret|PRIVATE KEY/);
  });
});

describe('the judgements', () => {
  const facts = {
    version: 18,
    encoding: 'UTF8',
    ctype: 'C.UTF-8',
    isSuperuser: false,
    isReplica: false,
    connections: 97,
    othersConnections: 0,
    unsafe: [],
    missingExtensions: [],
    mayCreateExtensions: true,
    skewMs: 0,
    server: 'one',
    replayLagSeconds: 0,
  };
  const said = (findings: Diagnosis[]) =>
    findings.filter(({ verdict }) => verdict !== 'right').map(({ message }) => message);

  it('tell a database that fits from one that does not', () => {
    expect(said(judgeDatabase(facts))).toEqual([]);
    expect(said(judgeDatabase({ ...facts, version: 14 }))).toEqual(['PostgreSQL 14 is too old']);
    expect(said(judgeDatabase({ ...facts, version: 19 }))).toEqual(['PostgreSQL 19 is not tested']);
    expect(said(judgeDatabase({ ...facts, missingExtensions: ['unaccent'] }))).toEqual([
      'unaccent cannot be installed',
    ]);
    expect(said(judgeDatabase({ ...facts, mayCreateExtensions: false }))).toHaveLength(1);
    expect(said(judgeDatabase({ ...facts, unsafe: ['fsync'] }))).toEqual(['fsync is off: a crash loses data']);
    expect(judgeSkew('x', -9_000)).toMatchObject({
      verdict: 'wrong',
      message: expect.stringContaining('9.0 s behind'),
    });
  });

  it('count the connections of all processes', () => {
    expect(judgeConnections(facts, { processes: 2, isPooled: false }).verdict).toBe('right');
    expect(judgeConnections(facts, { processes: 64, isPooled: false }).verdict).toBe('wrong');
    expect(judgeConnections({ ...facts, othersConnections: 80 }, { processes: 2, isPooled: false }).verdict).toBe(
      'wrong',
    );
    expect(judgeConnections(facts, { processes: 8, isPooled: true })).toMatchObject({ about: 'DATABASE_DIRECT_URL' });
  });

  it('know the state of migrations and of a replica', () => {
    const none = { isNew: false, pending: [], unknown: [], altered: [] };
    expect(judgeMigrations(none).verdict).toBe('right');
    expect(judgeMigrations({ ...none, isNew: true }).verdict).toBe('right');
    expect(judgeMigrations({ ...none, pending: ['1'] }).verdict).toBe('advice');
    expect(judgeMigrations({ ...none, unknown: ['9'] }).message).toContain('newer release');
    expect(judgeMigrations({ ...none, altered: ['1'] }).verdict).toBe('wrong');
    const replica = { ...facts, isReplica: true };
    expect(said(judgeReplica(replica, facts))).toEqual([]);
    expect(said(judgeReplica({ ...replica, version: 17 }, facts))).toEqual(['runs PostgreSQL 17']);
    expect(said(judgeReplica({ ...replica, replayLagSeconds: 60 }, facts))).toEqual([
      'is 60 s behind, so it is skipped',
    ]);
  });

  it('know whether a domain exists, as far as the DNS tells', () => {
    expect(judgeDomain('city.gov', ['ENODATA', undefined, 'ENODATA']).verdict).toBe('right');
    expect(judgeDomain('city.gvo', ['ENOTFOUND', 'ENOTFOUND', 'ENOTFOUND']).message).toContain('does not exist');
    expect(judgeDomain('city.gov', ['ETIMEOUT', 'ETIMEOUT', 'ETIMEOUT']).verdict).toBe('advice');
  });

  it('know Redis and disks', () => {
    const info = (more: string) => `# Server\r\nredis_version:7.2.4\r\nrole:master\r\nmaxmemory:1000\r\n${more}`;
    expect(said(judgeRedis(info('maxmemory_policy:allkeys-lru')))).toEqual([]);
    expect(said(judgeRedis(info('maxmemory_policy:noeviction')))).toHaveLength(1);
    expect(said(judgeRedis('redis_version:5.0.14\r\nrole:slave'))).toHaveLength(2);
    expect(
      [judgeSpace(1e6, true), judgeSpace(1e9, true), judgeSpace(1e11, true)].map(({ verdict }) => verdict),
    ).toEqual(['wrong', 'advice', 'right']);
  });

  it('guess what a misspelt name means, and leave other names alone', () => {
    const meant = (name: string) => findMisspelt({ [name]: 'x' }).map(({ message }) => message.match(/[A-Z_]+\?/)?.[0]);
    expect(
      ['SMTP_URI', 'DATABSE_URL', 'OFFICIUM_SECRET_KEY', 'URL_PUBLIC', 'TRUSTED_PROXIES', 'smtp_url'].map(meant),
    ).toEqual([['SMTP_URL?'], ['DATABASE_URL?'], ['SECRET_KEY?'], ['PUBLIC_URL?'], ['TRUST_PROXY?'], ['SMTP_URL?']]);
    const usual = ['PATH', 'HOME', 'HOSTNAME', 'PGPASSWORD', 'AWS_ACCESS_KEY_ID', 'NODE_OPTIONS', 'LANG', 'PORTS'];
    const others = [
      'POSTGRES_PASSWORD',
      'OFFICIUM_DB_PASSWORD',
      'OFFICIUM_VERSION',
      'npm_config_user_agent',
      'LS_COLORS',
    ];
    expect([...usual, ...others].flatMap(meant)).toEqual([]);
  });

  it('report each invalid setting once, and not those that only need it', () => {
    const { config, findings } = readUsable({
      PORT: 'x',
      ADMIN_EMAIL: 'a@b.gov',
      ADMIN_PASSWORD: 'x',
      LOG_LEVEL: 'loud',
    });
    expect(findings.map(({ about }) => about).sort()).toEqual(['ADMIN_PASSWORD', 'LOG_LEVEL', 'PORT']);
    expect(config?.port).toBe(3000);
    expect(readUsable({ AI_MODEL_FAST: 'm' }).findings.map(({ about }) => about)).toEqual(['AI_PROVIDER']);
    expect(readUsable({}).findings.map(({ verdict }) => verdict)).toEqual(['right']);
  });
});
