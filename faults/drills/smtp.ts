import { setTimeout as pause } from 'node:timers/promises';
import { createCohort, createUpload } from '@officium/contract/admin';
import { createAccount } from '@officium/contract/auth';
import { readProfile, updateProfile } from '@officium/contract/account';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, must, openSandbox, type Answer } from '../sandbox.ts';
import { startMailSink, type MailServerMode } from '../mail-sink.ts';
import { equal, inMs, inPercent, inSeconds, scaled, share, steadily, until, p95Of, inTurn } from '../measures.ts';

const MAILS = 10_000;
const CODES = 40;
const SECONDS = 30;
/** The longest delay between attempts, which an outage of an hour reaches (server/mail/outbox.ts). */
const LONGEST_WAIT_SECONDS = 300;

const FAILURES: ('down' | MailServerMode)[] = ['down', 'slow', 'busy'];

export const drill: Drill = {
  name: 'smtp',
  description: `Makes the mail server unreachable, then slow (30 seconds per mail), then busy (4xx), ${SECONDS} seconds each, while 10 000 mails are queued; delays every mail as an outage of an hour would; expires the codes of half the people who sign up meanwhile; then lets it recover. Finally it rejects mails permanently (5xx).`,
  async run({ scale, print }) {
    const sink = await startMailSink();
    const sandbox = await openSandbox();
    try {
      const count = scaled(MAILS, scale);
      const node = await sandbox.start({ SMTP_URL: sink.url, LOG_LEVEL: 'fatal' });
      const admin = await sandbox.makePerson('administrator');
      const people = await sandbox.makePeople(20);
      const personAt = inTurn(people);
      /** Latencies of other requests meanwhile, half reads and half writes. */
      const watch = () =>
        steadily(10, async (nth): Promise<Answer> => {
          const as = personAt(nth);
          return nth % 2 === 0
            ? await ask(node, readProfile, { as, params: { id: 'me' } })
            : await ask(node, updateProfile, { as, params: { id: 'me' }, body: { jobTitle: `Adviser ${nth}` } });
        });
      const seconds = SECONDS * Math.max(scale, 0.1);
      await watch().stop();
      const warm = watch();
      await pause(5_000);
      await warm.stop();
      const quiet = watch();
      await pause(seconds * 1000);
      const baseline = await quiet.stop();

      await sink.down();
      const cohort = await must(node, createCohort, {
        as: admin,
        body: { name: 'Spring', type: 'LEARNERS', primaryPartner: 'B' },
      });
      const emails = Array.from({ length: count }, (_, nth) => `learner-${nth}@example.gov`);
      await must(node, createUpload, { as: admin, params: { id: cohort.id }, body: { slug: 'spring', emails } });
      const waiting = async (kind: string) => {
        const [row] = await sandbox.rows<{ n: number }>(
          `select count(*)::int as n from mails where status = 'queued' and kind = $1`,
          [kind],
        );
        return row?.n ?? 0;
      };
      await until('all people are placed', async () => (await waiting('cohort_invitation')) === count, 300_000);
      await sandbox.rows(
        `update jobs.job set start_after = now() where name = 'mail.send-mails' and state = 'created'`,
      );
      const during: Answer[] = [];
      const asked: Answer[] = [];
      for (const failure of FAILURES) {
        if (failure === 'down') await sink.down();
        else {
          await sink.down();
          sink.setMode(failure);
          await sink.up();
        }
        const watched = watch();
        for (let nth = 0; nth < scaled(CODES, scale); nth += 1)
          asked.push(
            await ask(node, createAccount, { body: { name: 'Noor', email: `${failure}-${nth}@example.gov` } }),
          );
        await pause(seconds * 1000);
        during.push(...(await watched.stop()));
        print(`${failure}: ${during.length} requests were answered meanwhile`);
      }
      const expired = await sandbox.rows<{ recipient: string }>(
        `update mails set expires_at = now() where status = 'queued' and expires_at is not null
           and recipient ~ '[02468]@' returning recipient`,
      );
      await sandbox.rows(
        `update jobs.job set start_after = now() + make_interval(secs => $1)
         where name like 'mail.%' and state in ('created', 'retry')`,
        [LONGEST_WAIT_SECONDS * scale],
      );
      const takenBefore = sink.taken.length;
      await sink.down();
      sink.setMode('well');
      await sink.up();
      const [queued] = await sandbox.rows<{ n: number }>(
        `select count(*)::int as n from mails where status = 'queued'`,
      );
      const tookMs = await until(
        'the mail queue is empty',
        async () => (await sandbox.rows(`select 1 from mails where status = 'queued' limit 1`)).length === 0,
        900_000,
        1000,
      );
      const to = new Set(sink.taken.map((mail) => mail.to));
      const kept = await sandbox.rows<{ recipient: string }>(`select recipient from mails where status <> 'expired'`);
      print(`${sink.taken.length - takenBefore} mails were sent, of ${queued?.n} queued`);

      sink.setMode('refusing');
      await must(node, createAccount, { body: { name: 'Noor', email: 'nobody@example.gov' } });
      const stateOf = async () =>
        await sandbox.rows<{ status: string; attempts: number }>(
          `select status, attempts from mails where recipient = 'nobody@example.gov'`,
        );
      await until('the refused mail is marked', async () => (await stateOf())[0]?.status === 'failed', 60_000);
      await pause(8_000); // longer than the first delay before a retry
      const [refused] = await stateOf();

      const [before, meanwhile] = [p95Of(baseline), p95Of(during)];
      const well = (answers: Answer[]) => answers.filter(({ status }) => status >= 200 && status < 300).length;
      return [
        none('mails lost', kept.filter(({ recipient }) => !to.has(recipient)).length, kept.length),
        none(
          'codes delivered after their expiry',
          expired.filter(({ recipient }) => to.has(recipient)).length,
          expired.length,
        ),
        atMost('time from recovery to an empty mail queue', tookMs / 1000, 600, inSeconds),
        share('requests that succeeded meanwhile', well(during) + well(asked), during.length + asked.length, 1),
        {
          ...atMost('', 100 * (meanwhile / before - 1), 5, inPercent),
          what: `increase of the 95th percentile of requests, from ${inMs(before)}`,
        },
        equal('attempts for a permanently rejected mail', refused?.attempts ?? 0, 1),
      ];
    } finally {
      await sandbox.close();
      await sink.close();
    }
  },
};
