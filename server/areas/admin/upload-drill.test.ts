import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUpload, listUploads, readCohort } from '@officium/contract/admin';
import { confirmSignUp, createAccount } from '@officium/contract/auth';
import { readCommunity } from '@officium/contract/community';
import { readCourse } from '@officium/contract/learner';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { lastMail, makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCommunity } from '#server/test/factories/communities.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const folder = await mkdtemp(join(tmpdir(), 'officium-drill-'));
const workers = new Set<ChildProcess>();

afterAll(async () => {
  for (const worker of workers) await kill(worker);
  await rm(folder, { recursive: true, force: true });
});

async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [join(import.meta.dirname, '../../test/worker.ts')], {
    env: { DATABASE_URL: test.databaseUrl, DATA_DIR: folder, ROLE: 'worker', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  workers.add(worker);
  await once(worker.stdout, 'data'); // the worker is ready
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  workers.delete(worker);
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

const chunks = async () =>
  (
    await sql<{ waiting: number; active: number; tries: number }>`
      select count(*) filter (where state in ('created', 'retry')) as waiting,
        count(*) filter (where state = 'active') as active, coalesce(sum(retry_count), 0)::int as tries
      from jobs.job where name = 'admin.place-upload-chunk'`.execute(db)
  ).rows[0]!; // an aggregate always returns one row

/** Expires the jobs of killed workers and their retry delays, as if a minute had passed. */
async function letAMinutePass(): Promise<void> {
  await sql`update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`.execute(db);
  await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db);
  await sql`update jobs.queue set monitor_claim_on = null, monitor_on = null`.execute(db);
}

/** Creates accounts for these addresses in one statement. */
async function makeAccounts(emails: string[], given: { isProven: boolean; role?: string; locale?: string }) {
  await sql`
    insert into users (id, name, email, role, locale, email_proven_at)
    select id, 'Somebody', email, ${given.role ?? 'public-servant'}, ${given.locale ?? 'en'},
      case when ${given.isProven} then now() end
    from unnest(${emails.map(() => newId())}::uuid[], ${emails}::text[]) as u (id, email)`.execute(db);
}

const named = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind}-${nth}@example.gov`);

it('is exact although its workers are killed repeatedly', async () => {
  const admin = await makePerson(test, { role: 'administrator', locale: 'de' });
  const course = await makeCourse(test, {
    type: 'Private',
    scopes: { canView: 'private', canJoin: 'private' },
    journeys: [{ privacy: 'closed-private' }],
  });
  const community = await makeCommunity(db, { privacy: 'closed-hidden', canView: 'private' });
  const cohort = await makeCohort(test, { products: [course.journey.entryId, community.entryId] });

  const [proven, unproven, inactive] = [named('proven', 600), named('unproven', 300), named('inactive', 50)];
  const [members, invited, fresh] = [named('member', 150), named('invited', 150), named('new', 3750)];
  await makeAccounts([...proven, ...members], { isProven: true });
  await makeAccounts(unproven, { isProven: false, locale: 'fr' });
  await makeAccounts(inactive, { isProven: true, role: 'inactive' });
  await sql`insert into cohort_members (cohort_id, user_id)
    select ${cohort}, id from users where email = any(${members}::text[])`.execute(db);
  await sql`insert into cohort_invitations (id, cohort_id, email)
    select new_id(), ${cohort}, email from unnest(${invited}::text[]) as e (email)`.execute(db);
  const distinct = [...proven, ...unproven, ...inactive, ...members, ...invited, ...fresh];
  const emails = [...distinct, ...distinct.slice(0, 500).map((email) => ` ${email.toUpperCase()} `)];

  const upload = () =>
    test.call(createUpload, admin.as, { params: { id: cohort }, body: { slug: 'drill', emails: emails.toReversed() } });
  const [first, again] = [await upload(), await upload()];
  expect([first.status, again.status]).toEqual([202, 202]);

  for (let kills = 0; kills < 5; kills += 1) {
    const pair = await Promise.all([startWorker(), startWorker()]);
    await expect
      .poll(async () => {
        const { active, waiting } = await chunks();
        return active > 0 || waiting === 0;
      })
      .toBe(true);
    await new Promise((later) => setTimeout(later, Math.random() * 120));
    await Promise.all(pair.map(kill));
    await letAMinutePass();
  }
  const survivor = await startWorker();
  const isDone = async () => {
    const { body } = await test.call(listUploads, admin.as, { params: { id: cohort } });
    if ((await chunks()).active > 0) await letAMinutePass();
    return body.uploads.every(({ status }: { status: string }) => status === 'done');
  };
  await expect.poll(isDone, { timeout: 60_000, interval: 500 }).toBe(true);
  await kill(survivor);
  expect((await chunks()).tries, 'work that a kill undid').toBeGreaterThan(0);

  // One member or invitation for each valid address, and no others.
  const { body: read } = await test.call(readCohort, admin.as, { params: { id: cohort } });
  expect(read.total).toEqual({
    members: proven.length + members.length,
    invitations: unproven.length + invited.length + fresh.length,
  });
  const { rows: places } = await sql<{ email: string; places: number }>`
    select email, count(*) as places from (
      select u.email from cohort_members m join users u on u.id = m.user_id where m.cohort_id = ${cohort}
      union all select email from cohort_invitations where cohort_id = ${cohort}) p
    group by email`.execute(db);
  expect(places.filter((row) => row.places !== 1)).toEqual([]);
  expect(new Set(places.map(({ email }) => email))).toEqual(
    new Set(distinct.filter((email) => !inactive.includes(email))),
  );

  // One mail to each newly invited address, in the user's language.
  const mails = await test.mails();
  expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual([...unproven, ...fresh].toSorted());
  for (const { recipient, locale } of mails) expect(locale).toBe(recipient.startsWith('unproven') ? 'fr' : 'de');

  // Two equal uploads together placed each address once.
  const { body: listed } = await test.call(listUploads, admin.as, { params: { id: cohort } });
  const sums = { added: 0, invited: 0, already: 0, invalid: 0 };
  for (const { total, outcomes } of listed.uploads) {
    expect(total).toBe(distinct.length);
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += outcomes[key];
  }
  expect(sums).toEqual({
    added: proven.length,
    invited: unproven.length + fresh.length,
    already: 2 * distinct.length - 2 * inactive.length - proven.length - unproven.length - fresh.length,
    invalid: 2 * inactive.length,
  });

  // A user who proves an invited address becomes a member with the products, once.
  const email = fresh[1234]!;
  await test.call(createAccount, {}, { body: { name: 'Noor', email } });
  const { code } = await lastMail(test, email, 'sign_up_code');
  const session = await test.call(confirmSignUp, {}, { body: { email, code } });
  const as = { token: session.cookies.find(({ name }) => name === 'session')?.value };
  expect((await test.call(readCourse, as, { params: { courseSlug: course.slug } })).status).toBe(200);
  expect((await test.call(readCommunity, as, { params: { slug: community.slug } })).status).toBe(200);
  const { body: after } = await test.call(readCohort, admin.as, { params: { id: cohort } });
  expect(after.total).toEqual({ members: read.total.members + 1, invitations: read.total.invitations - 1 });
}, 300_000);
