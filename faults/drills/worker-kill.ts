import { createCohort, createUpload, listUploads } from '@officium/contract/admin';
import { newId } from '../../server/db/client.ts';
import type { Drill } from '../drill.ts';
import { must, openInstallation, type Installation, type Node } from '../installation.ts';
import { startMailSink } from '../mail-sink.ts';
import { atMost, none } from '../figures.ts';
import { equal, inPercent, inSeconds, pause, scaled, until } from '../measures.ts';

const ADDRESSES = 100_000;
const KILLS = 20;
const WORKERS = 4;
const PLACE = 'admin.place-upload-chunk';
const MAILS = 'mail.send-mails';

type JobRow = { id: string; tries: number; startedAt: Date | null; lastSeenAt: Date | null; state: string };

/** How long the jobs of a queue that a kill left behind lay, from the last sign of life until they were begun again. */
function watchPickUps(house: Installation) {
  const known = new Map<string, JobRow>();
  const waits: number[] = [];
  let isOver = false;
  const look = async () => {
    const rows = await house.rows<JobRow>(
      `select id, retry_count as tries, started_on as "startedAt", state,
         greatest(heartbeat_on, started_on) as "lastSeenAt"
       from jobs.job where name in ($1, $2) and started_on is not null`,
      [PLACE, MAILS],
    );
    for (const row of rows) {
      const before = known.get(row.id);
      if (before?.state === 'active' && row.tries > before.tries && row.startedAt && before.lastSeenAt)
        if (row.startedAt > before.lastSeenAt) waits.push((+row.startedAt - +before.lastSeenAt) / 1000);
      // While it waits for its next try, what was seen of the last one counts.
      if (row.state !== 'retry') known.set(row.id, row);
    }
  };
  const looking = (async () => {
    while (!isOver) {
      await look();
      await pause(500);
    }
  })();
  looking.catch(() => {}); // stop() tells of it, and nobody asks when the drill has failed already
  return {
    async stop() {
      isOver = true;
      await looking;
      return waits;
    },
  };
}

/**
 * People of an upload: one in five is new and gets a mail, some of the others are inactive and may not be placed, and
 * some addresses come twice, in capitals.
 */
async function makeAddresses(house: Installation, count: number) {
  const all = Array.from({ length: count }, (_, nth) => `learner-${nth}@example.gov`);
  await house.rows(
    `insert into users (id, name, email, role, email_proven_at)
     select new_id(), 'Learner', 'learner-' || n || '@example.gov',
       case when n % 500 = 7 then 'inactive' else 'public-servant' end, now()
     from generate_series(0, $1::int - 1) n where n % 5 <> 0`,
    [count],
  );
  const [{ invalid }] = (await house.rows<{ invalid: number }>(
    `select count(*)::int as invalid from users where role = 'inactive'`,
  )) as [{ invalid: number }]; // an aggregate has one row
  return { sent: [...all, ...all.slice(0, count / 100).map((email) => email.toUpperCase())], invalid };
}

export const drill: Drill = {
  name: 'worker-kill',
  does: `Kills workers with -9, ${KILLS} in all at moments of chance, while four of them place an upload of 100 000 addresses and send the mails to the fifth of them who are new; a killed one is started again at once. The two minutes before the first mail are left out.`,
  async run({ scale, say }) {
    const house = await openInstallation();
    const sink = await startMailSink();
    try {
      const count = scaled(ADDRESSES, scale);
      const kills = scaled(KILLS, scale);
      const admin = await house.makePerson('administrator');
      const { sent, invalid } = await makeAddresses(house, count);
      const web = await house.start({ ROLE: 'web' });
      const settings = { ROLE: 'worker', SMTP_URL: sink.url, LOG_LEVEL: 'fatal' };
      const workers: Node[] = [];
      for (let nth = 0; nth < WORKERS; nth += 1) workers.push(await house.start(settings));
      const cohort = await must(web, createCohort, {
        as: admin,
        body: { name: newId(), type: 'LEARNERS', primaryPartner: 'B' },
      });
      const pickUps = watchPickUps(house);
      await must(web, createUpload, { as: admin, params: { id: cohort.id }, body: { slug: 'drill', emails: sent } });

      const killOne = async () => {
        await pause(Math.random() * 1500);
        const at = Math.floor(Math.random() * workers.length);
        await workers[at]!.stop('SIGKILL');
        workers[at] = await house.start(settings);
      };
      const isPlaced = async () => {
        const { uploads } = await must(web, listUploads, { as: admin, params: { id: cohort.id } });
        return uploads[0].status === 'done';
      };
      let killed = 0;
      for (; killed < Math.ceil(kills / 2) && !(await isPlaced()); killed += 1) await killOne();
      say(`${killed} workers were killed while people were placed`);
      const whilePlacing = killed;
      await until('the upload is placed', isPlaced, 300_000);
      await house.rows(`update jobs.job set start_after = now() where name = $1 and state = 'created'`, [MAILS]);
      const waiting = async () => {
        const [row] = await house.rows<{ n: number }>(`select count(*)::int as n from mails where status = 'queued'`);
        return row?.n ?? 0;
      };
      await until('mails go out', async () => sink.taken.length > 0, 60_000, 50);
      for (; killed < kills && (await waiting()) > 0; killed += 1) await killOne();
      say(`${killed} were killed in all; ${sink.taken.length} mails have gone out`);
      await until('all mails are sent', async () => (await waiting()) === 0, 600_000);
      const waits = await pickUps.stop();

      const places = await house.rows<{ email: string; places: number }>(
        `select email, count(*)::int as places from (
           select u.email from cohort_members m join users u on u.id = m.user_id where m.cohort_id = $1
           union all select email from cohort_invitations where cohort_id = $1) p group by email`,
        [cohort.id],
      );
      const invited = await house.rows<{ email: string }>(`select email from cohort_invitations where cohort_id = $1`, [
        cohort.id,
      ]);
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
          `longest wait of the ${waits.length} jobs a kill left, until another worker had them`,
          Math.max(0, ...waits),
          60,
          inSeconds,
        ),
        { what: 'workers killed', reached: String(killed), demanded: String(kills), isReached: killed === kills },
      ];
    } finally {
      await house.close();
      await sink.close();
    }
  },
};
