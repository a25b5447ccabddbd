import { ENDPOINTS } from '@officium/contract/services';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createMailer } from '#server/mail/transport.ts';
import { createTestApp, SERVICE_KEY } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { makeCohort } from '../factories/cohorts.ts';
import { unusedUrl } from './address.ts';
import { portOf } from '../process.ts';

const test = await createTestApp({}, { countsAnswers: false });
const administrator = await makePerson(test, { role: 'administrator' });
const cohort = await makeCohort(test);

/** Addresses that validators and mail servers parse differently. */
const ODD = [
  '"attacker@evil.example x"@example.gov',
  '"attacker@evil.example"@example.gov',
  '"a b"@example.gov',
  'a@evil.example@example.gov',
  'a@example.gov,b@evil.example',
  'a@example.gov;b@evil.example',
  'a@example.gov b@evil.example',
  'A <a@evil.example>@example.gov',
  '<a@example.gov>',
  'a(comment)@example.gov',
  'a@example.gov(evil.example)',
  'a@[127.0.0.1]',
  'a@localhost',
  'a@example.gov\r\nBcc: b@evil.example',
  'a@example.gov\nRCPT TO:<b@evil.example>',
  'a%b@evil.example@example.gov',
  'undisclosed:a@evil.example;@example.gov',
  'a@exаmple.gov',
  'ａ@example.gov',
  'a@example。gov',
  `${'a'.repeat(65)}@example.gov`,
  `a@${'b'.repeat(250)}.gov`,
];

/** Operations with an address in their body, and a valid body for each. */
const MAILING: Record<string, (email: string) => object> = {
  createAccount: (email) => ({ name: 'Ana', email }),
  signIn: (email) => ({ email, password: 'whatever it is' }),
  requestLoginLink: (email) => ({ email }),
  confirmSignUp: (email) => ({ email, code: '123456' }),
  changeEmail: (newEmail) => ({ newEmail, password: 'whatever it is' }),
  createUserRecord: (email) => ({ name: 'Ana', email }),
  addCohortUser: (email) => ({ email }),
  createUpload: (email) => ({ slug: 'attack', emails: [email] }),
};

describe('an ambiguous e-mail address', () => {
  it.each(ODD)('is rejected by every operation: %s', async (email) => {
    for (const [name, bodyOf] of Object.entries(MAILING)) {
      const endpoint = ENDPOINTS.find((one) => one.name === name)!; // all are in the contract
      const { status } = await test.send(endpoint.method, unusedUrl(endpoint, cohort), {
        as: endpoint.auth === 'service' ? { serviceKey: SERVICE_KEY } : administrator.as,
        body: bodyOf(email),
      });
      expect([name, status]).toEqual([name, 400]);
    }
    expect(await test.mails()).toEqual([]);
  });
});

describe('a mail', () => {
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) => {
      recipients.push(address);
      done();
    },
    onData: (stream, _, done) => stream.on('end', () => done()).resume(),
  });
  beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)));
  afterAll(() => new Promise<void>((closed) => server.close(closed)));

  // In case such an address ever gets into the database.
  it.each(ODD)('goes only to the exact address: %s', async (to) => {
    recipients.length = 0;
    const port = portOf(server.server);
    const mailer = createMailer({
      url: `smtp://127.0.0.1:${port}`,
      from: 'Officium <no-reply@example.gov>',
      folder: test.ctx.config.dataDir,
    });
    const message = { id: newId(), to, subject: 'Hello', text: 'Hello', html: '<p>Hello', headers: {} };
    await mailer.send(message).catch(() => undefined); // a rejection is fine too
    mailer.close();
    const elsewhere = recipients.filter(
      (address) => address.split('@').at(-1)?.replace(/[>;]/g, '') === 'evil.example',
    );
    expect([elsewhere, recipients.length <= 1]).toEqual([[], true]);
  });
});
