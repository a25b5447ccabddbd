import type { AddressInfo } from 'node:net';
import {
  readServerSettings,
  readSiteSetup,
  sendTestMail,
  updateSetupStep,
  updateSiteSetup,
} from '@officium/contract/site-setup';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMailer } from '#server/mail/transport.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});
beforeEach(async () => {
  await sql`truncate site_setup`.execute(test.ctx.db);
});

const read = async () => (await test.call(readSiteSetup, admin.as)).body;
const decide = async (step: string, outcome: string) =>
  await test.call(updateSetupStep, admin.as, { params: { step }, body: { outcome } });
const actions = async () =>
  (
    await sql<{ object: string; detail: object }>`
      select object, detail from audit_log where action = 'admin.update-setup' order by id`.execute(test.ctx.db)
  ).rows;

describe('the set-up assistant', () => {
  it('keeps the outcome of each step, and each step once', async () => {
    const { steps, putAwayAt } = await read();
    expect(putAwayAt).toBeNull();
    expect(steps.map((one: { step: string }) => one.step)).toEqual([
      'name',
      'logo',
      'colour',
      'languages',
      'sign-in',
      'mail',
      'pages',
    ]);
    await Promise.all([decide('name', 'done'), decide('logo', 'skipped'), decide('pages', 'done')]);
    await decide('logo', 'done');
    await decide('logo', 'done');
    const outcomes = Object.fromEntries(
      (await read()).steps.map((one: { step: string; outcome: string | null }) => [one.step, one.outcome]),
    );
    expect(outcomes).toMatchObject({ name: 'done', logo: 'done', pages: 'done', mail: null });
    expect(await actions()).toHaveLength(4);
  });

  it('is offered at the first visit to a new site only', async () => {
    expect((await read()).isFirstVisit).toBe(true);
    await test.call(updateSiteSetup, admin.as, { body: { isPutAway: false } });
    expect((await read()).isFirstVisit).toBe(false);
    await sql`truncate site_setup`.execute(test.ctx.db);
    await makePerson(test);
    expect((await read()).isFirstVisit).toBe(false);
  });

  it('is put away and taken out again', async () => {
    await decide('name', 'skipped');
    const put = async (isPutAway: boolean) =>
      (await test.call(updateSiteSetup, admin.as, { body: { isPutAway } })).body;
    const { putAwayAt } = await put(true);
    expect(putAwayAt).toEqual(expect.any(String));
    expect((await put(true)).putAwayAt).toBe(putAwayAt);
    expect(await put(false)).toMatchObject({
      putAwayAt: null,
      steps: [{ step: 'name', outcome: 'skipped' }, {}, {}, {}, {}, {}, {}],
    });
  });

  it('refuses unknown steps and outcomes', async () => {
    expect((await decide('payments', 'done')).status).toBe(400);
    expect((await decide('name', 'maybe')).status).toBe(400);
    expect((await test.call(updateSiteSetup, admin.as, { body: {} })).status).toBe(400);
  });

  it('belongs to administrators', async () => {
    const person = await makePerson(test);
    for (const [as, status] of [
      [person.as, 403],
      [{}, 401],
    ] as const) {
      expect((await test.call(readSiteSetup, as)).status).toBe(status);
      expect((await test.call(readServerSettings, as)).status).toBe(status);
      expect((await test.call(sendTestMail, as)).status).toBe(status);
      expect((await test.call(updateSiteSetup, as, { body: { isPutAway: true } })).status).toBe(status);
      expect(
        (await test.call(updateSetupStep, as, { params: { step: 'name' }, body: { outcome: 'done' } })).status,
      ).toBe(status);
    }
  });
});

describe('readServerSettings', () => {
  it('names what the environment sets, without secrets', async () => {
    const { config } = test.ctx;
    test.ctx.config = {
      ...config,
      smtpUrl: 'smtps://mailer:hunter2@mail.example:465/?pool=true',
      given: new Set(['SMTP_URL', 'PORT']),
    };
    const { body } = await test.call(readServerSettings, admin.as);
    test.ctx.config = config;
    expect(body.settings).toContainEqual({ name: 'SMTP_URL', isSet: true, value: 'mail.example:465' });
    expect(body.settings).toContainEqual({ name: 'MAIL_FROM', isSet: false, value: config.mailFrom });
    expect(JSON.stringify(body)).not.toMatch(/hunter2|mailer|PORT/);
  });
});

describe('sendTestMail', () => {
  let refuses = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_, __, done) =>
      done(refuses ? Object.assign(new Error('5.7.1 Relaying denied'), { responseCode: 550 }) : null),
    onData: (stream, _, done) => {
      stream.resume();
      stream.on('end', () => done(null));
    },
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    ({ port } = server.server.address() as AddressInfo); // listening on TCP
  });
  afterAll(() => new Promise<void>((closed) => server.close(closed)));

  const through = async (smtpUrl: string | undefined, as = admin.as) => {
    const { config, mailer } = test.ctx;
    const url = smtpUrl;
    test.ctx.config = { ...config, smtpUrl };
    test.ctx.mailer = createMailer({ url, from: config.mailFrom, folder: `${config.dataDir}/outbox` });
    const { status, body } = await test.call(sendTestMail, as);
    test.ctx.mailer.close();
    Object.assign(test.ctx, { config, mailer });
    return { status, body };
  };

  it('says what the mail server answered', async () => {
    const { body } = await through(`smtp://127.0.0.1:${port}`);
    expect(body).toMatchObject({ to: admin.email, outcome: 'accepted', answer: expect.stringMatching(/^250/) });
    refuses = true;
    expect((await through(`smtp://127.0.0.1:${port}`)).body).toMatchObject({
      outcome: 'refused',
      answer: '550 5.7.1 Relaying denied',
    });
    refuses = false;
  });

  it('says when no mail server answers, or none is configured', async () => {
    expect((await through('smtp://127.0.0.1:9')).body).toMatchObject({
      outcome: 'unreachable',
      answer: expect.stringContaining('ECONNREFUSED'),
    });
    expect((await through(undefined)).body).toMatchObject({ outcome: 'stored', answer: null });
    const { rows } = await sql`
      select 1 from audit_log where action = 'admin.send-test-mail' and object = ${admin.id}`.execute(test.ctx.db);
    expect(rows).toHaveLength(4);
  });

  it('is limited for each account', async () => {
    const other = await makePerson(test, { role: 'administrator' });
    for (let sent = 0; sent < 10; sent += 1) expect((await through(undefined, other.as)).status).toBe(200);
    expect((await through(undefined, other.as)).status).toBe(429);
  });
});
