import { createCohort, createUpload } from '@officium/contract/admin';
import { createAccount } from '@officium/contract/auth';
import { readProfile, updateProfile } from '@officium/contract/account';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { ask, must, openInstallation, type Answer } from '../installation.ts';
import { startMailSink, type MailMood } from '../mail-sink.ts';
import { equal, inMs, inPercent, inSeconds, pause, quantile, scaled, share, steadily, until } from '../measures.ts';

const MAILS = 10_000;
const CODES = 40;
const SECONDS = 30;
/** The longest wait of a mail before it is tried again, which an outage of an hour reaches (server/mail/outbox.ts). */
const LONGEST_WAIT_SECONDS = 300;

const FAILURES: ('down' | MailMood)[] = ['down', 'slow', 'busy'];

export const drill: Drill = {
  name: 'smtp',
  does: `Lets the mail server be away, take 30 seconds for a mail and answer 4xx, ${SECONDS} seconds each, while 10 000 mails wait for it; puts every mail off as an outage of an hour would have; lets the codes of half the people who sign up meanwhile run out; then lets all go well. Afterwards it refuses mails for good (5xx).`,
  async run({ scale, say }) {
    const sink = await startMailSink();
    const house = await openInstallation();
    try {
      const count = scaled(MAILS, scale);
      const node = await house.start({ SMTP_URL: sink.url, LOG_LEVEL: 'fatal' });
      const admin = await house.makePerson('administrator');
      const people = await house.makePeople(20);
      /** Waits of what people do meanwhile, half of it reading and half writing. */
      const watch = () =>
        steadily(10, async (nth): Promise<Answer> => {
          const as = people[nth % people.length]!; // within the list
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
      const usual = await quiet.stop();

      await sink.down();
      const cohort = await must(node, createCohort, {
        as: admin,
        body: { name: 'Spring', type: 'LEARNERS', primaryPartner: 'B' },
      });
      const emails = Array.from({ length: count }, (_, nth) => `learner-${nth}@example.gov`);
      await must(node, createUpload, { as: admin, params: { id: cohort.id }, body: { slug: 'spring', emails } });
      const waiting = async (kind: string) => {
        const [row] = await house.rows<{ n: number }>(
          `select count(*)::int as n from mails where status = 'queued' and kind = $1`,
          [kind],
        );
        return row?.n ?? 0;
      };
      await until('all are placed', async () => (await waiting('cohort_invitation')) === count, 300_000);
      await house.rows(`update jobs.job set start_after = now() where name = 'mail.send-mails' and state = 'created'`);
      const during: Answer[] = [];
      const asked: Answer[] = [];
      for (const failure of FAILURES) {
        if (failure === 'down') await sink.down();
        else {
          await sink.down();
          sink.feel(failure);
          await sink.up();
        }
        const watched = watch();
        for (let nth = 0; nth < scaled(CODES, scale); nth += 1)
          asked.push(
            await ask(node, createAccount, { body: { name: 'Noor', email: `${failure}-${nth}@example.gov` } }),
          );
        await pause(seconds * 1000);
        during.push(...(await watched.stop()));
        say(`${failure}: ${during.length} requests were answered meanwhile`);
      }
      const expired = await house.rows<{ recipient: string }>(
        `update mails set expires_at = now() where status = 'queued' and expires_at is not null
           and recipient ~ '[02468]@' returning recipient`,
      );
      await house.rows(
        `update jobs.job set start_after = now() + make_interval(secs => $1)
         where name like 'mail.%' and state in ('created', 'retry')`,
        [LONGEST_WAIT_SECONDS * scale],
      );
      const takenBefore = sink.taken.length;
      await sink.down();
      sink.feel('well');
      await sink.up();
      const [queued] = await house.rows<{ n: number }>(`select count(*)::int as n from mails where status = 'queued'`);
      const tookMs = await until(
        'no mail waits',
        async () => (await house.rows(`select 1 from mails where status = 'queued' limit 1`)).length === 0,
        900_000,
        1000,
      );
      const to = new Set(sink.taken.map((mail) => mail.to));
      const kept = await house.rows<{ recipient: string }>(`select recipient from mails where status <> 'expired'`);
      say(`${sink.taken.length - takenBefore} mails went out, of ${queued?.n} that waited`);

      sink.feel('refusing');
      await must(node, createAccount, { body: { name: 'Noor', email: 'nobody@example.gov' } });
      const stateOf = async () =>
        await house.rows<{ status: string; attempts: number }>(
          `select status, attempts from mails where recipient = 'nobody@example.gov'`,
        );
      await until('the refused mail is marked', async () => (await stateOf())[0]?.status === 'failed', 60_000);
      await pause(8_000); // the first wait before another try, and more
      const [refused] = await stateOf();

      const p95 = (answers: Answer[]) =>
        quantile(
          answers.map(({ ms }) => ms),
          0.95,
        );
      const [before, meanwhile] = [p95(usual), p95(during)];
      const well = (answers: Answer[]) => answers.filter(({ status }) => status >= 200 && status < 300).length;
      return [
        none('mails lost', kept.filter(({ recipient }) => !to.has(recipient)).length, kept.length),
        none(
          'codes delivered that no longer worked',
          expired.filter(({ recipient }) => to.has(recipient)).length,
          expired.length,
        ),
        atMost('until no mail waited, from when the server was well', tookMs / 1000, 600, inSeconds),
        share('requests answered as usual meanwhile', well(during) + well(asked), during.length + asked.length, 1),
        {
          ...atMost('', 100 * (meanwhile / before - 1), 5, inPercent),
          what: `rise of the 95th percentile of requests, from ${inMs(before)}`,
        },
        equal('tries of a mail that was refused for good', refused?.attempts ?? 0, 1),
      ];
    } finally {
      await house.close();
      await sink.close();
    }
  },
};
