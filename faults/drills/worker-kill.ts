import { setTimeout as pause } from 'node:timers/promises';
import { createCohort, createUpload, listUploads } from '@officium/contract/admin';
import { newId } from '../../server/db/client.ts';
import type { Drill } from '../drill.ts';
import { must, openSandbox, type Sandbox, type SandboxNode } from '../sandbox.ts';
import { startMailSink } from '../mail-sink.ts';
import { atMost, none } from '../figures.ts';
import { equal, inPercent, inSeconds, scaled, until } from '../measures.ts';

const ADDRESSES = 100_000;
const KILLS = 20;
const WORKERS = 4;
const PLACE = 'admin.place-upload-chunk';
const MAILS = 'mail.send-mails';

type JobRow = { id: string; tries: number; startedAt: Date | null; lastSeenAt: Date | null; state: string };

/** Measures how long orphaned jobs waited, from the last heartbeat of the killed worker until a restart. */
function watchTakeovers(sandbox: Sandbox) {
  const known = new Map<string, JobRow>();
  const waits: number[] = [];
  let isStopped = false;
  const look = async () => {
    const rows = await sandbox.rows<JobRow>(
      `select id, retry_count as tries, started_on as "startedAt", state,
         greatest(heartbeat_on, started_on) as "lastSeenAt"
       from jobs.job where name in ($1, $2) and started_on is not null`,
      [PLACE, MAILS],
    );
    for (const row of rows) {
      const before = known.get(row.id);
      if (before?.state === 'active' && row.tries > before.tries && row.startedAt && before.lastSeenAt)
        if (row.startedAt > before.lastSeenAt) waits.push((+row.startedAt - +before.lastSeenAt) / 1000);
      // While a job waits for its retry, keep what was seen of the last attempt.
      if (row.state !== 'retry') known.set(row.id, row);
    }
  };
  const polling = (async () => {
    while (!isStopped) {
      await look();
      await pause(500);
    }
  })();
  polling.catch(() => {}); // stop() rejects with it; if the drill failed earlier, nobody awaits it
  return {
    async stop() {
      isStopped = true;
      await polling;
      return waits;
    },
  };
}

/**
 * Addresses for an upload: one in five is new and gets a mail, some accounts are inactive and cannot be placed, and
 * some addresses are repeated in capitals.
 */
async function makeAddresses(sandbox: Sandbox, count: number) {
  const all = Array.from({ length: count }, (_, nth) => `learner-${nth}@example.gov`);
  await sandbox.rows(
    `insert into users (id, name, email, role, email_proven_at)
     select new_id(), 'Learner', 'learner-' || n || '@example.gov',
       case when n % 500 = 7 then 'inactive' else 'public-servant' end, now()
     from generate_series(0, $1::int - 1) n where n % 5 <> 0`,
    [count],
  );
  const [{ invalid }] = (await sandbox.rows<{ invalid: number }>(
    `select count(*)::int as invalid from users where role = 'inactive'`,
  )) as [{ invalid: number }]; // an aggregate returns one row
  return { sent: [...all, ...all.slice(0, count / 100).map((email) => email.toUpperCase())], invalid };
}

export const drill: Drill = {
  name: 'worker-kill',
  description: `Kills workers (kill -9), ${KILLS} in all at random moments, while four of them place an upload of 100 000 addresses and send mails to the fifth who are new; a killed worker restarts at once. Skips the two minutes before the first mail.`,
  async run({ scale, print }) {
    const sandbox = await openSandbox();
    const sink = await startMailSink();
    try {
      const count = scaled(ADDRESSES, scale);
      const kills = scaled(KILLS, scale);
      const admin = await sandbox.makePerson('administrator');
      const { sent, invalid } = await makeAddresses(sandbox, count);
      const web = await sandbox.start({ ROLE: 'web' });
      const settings = { ROLE: 'worker', SMTP_URL: sink.url, LOG_LEVEL: 'fatal' };
      const workers: SandboxNode[] = [];
      for (let nth = 0; nth < WORKERS; nth += 1) workers.push(await sandbox.start(settings));
      const cohort = await must(web, createCohort, {
        as: admin,
        body: { name: newId(), type: 'LEARNERS', primaryPartner: 'B' },
      });
      const takeovers = watchTakeovers(sandbox);
      await must(web, createUpload, { as: admin, params: { id: cohort.id }, body: { slug: 'drill', emails: sent } });

      const killOne = async () => {
        await pause(Math.random() * 1500);
        const at = Math.floor(Math.random() * workers.length);
        await workers[at]!.stop('SIGKILL');
        workers[at] = await sandbox.start(settings);
      };
      const isPlaced = async () => {
        const { uploads } = await must(web, listUploads, { as: admin, params: { id: cohort.id } });
        return uploads[0].status === 'done';
      };
      let killed = 0;
      for (; killed < Math.ceil(kills / 2) && !(await isPlaced()); killed += 1) await killOne();
      print(`${killed} workers were killed while people were placed`);
      const whilePlacing = killed;
      await until('the upload is placed', isPlaced, 300_000);
      await sandbox.rows(`update jobs.job set start_after = now() where name = $1 and state = 'created'`, [MAILS]);
      const waiting = async () => {
        const [row] = await sandbox.rows<{ n: number }>(`select count(*)::int as n from mails where status = 'queued'`);
        return row?.n ?? 0;
      };
      await until('the first mails are sent', async () => sink.taken.length > 0, 60_000, 50);
      for (; killed < kills && (await waiting()) > 0; killed += 1) await killOne();
      print(`${killed} were killed in all; ${sink.taken.length} mails were sent`);
      await until('all mails are sent', async () => (await waiting()) === 0, 600_000);
      const waits = await takeovers.stop();

      const places = await sandbox.rows<{ email: string; places: number }>(
        `select email, count(*)::int as places from (
           select u.email from cohort_members m join users u on u.id = m.user_id where m.cohort_id = $1
           union all select email from cohort_invitations where cohort_id = $1) p group by email`,
        [cohort.id],
      );
      const invited = await sandbox.rows<{ email: string }>(
        `select email from cohort_invitations where cohort_id = $1`,
        [cohort.id],
      );
      const times = Map.groupBy(sink.taken, ({ to }) => to);
      const twice = [...times.values()].reduce((sum, mails) => sum + mails.length - 1, 0);
      return [
        equal('people placed, of the distinct valid addresses', places.length, count - invalid),
        none('people placed twice', places.filter((row) => row.places !== 1).length, count),
        none('mails missing', invited.filter(({ email }) => !times.has(email)).length, invited.length),
        atMost(
          `mails sent twice, with ${killed - whilePlacing} kills while mails went out`,
          twice,
          killed - whilePlacing,
        ),
        atMost('share of mails sent twice', (100 * twice) / invited.length, 0.1, inPercent),
        atMost(
          `longest wait of the ${waits.length} orphaned jobs until another worker took them`,
          Math.max(0, ...waits),
          60,
          inSeconds,
        ),
        { what: 'workers killed', result: String(killed), target: String(kills), isMet: killed === kills },
      ];
    } finally {
      await sandbox.close();
      await sink.close();
    }
  },
};
