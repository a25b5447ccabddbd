import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobReader, TextWriter, ZipReader, BlobWriter } from '@zip.js/zip.js';
import { askToConnect, updateProfile } from '@officium/contract/account';
import { addCohortUser } from '@officium/contract/admin';
import { askLesson } from '@officium/contract/ai';
import { deleteAccount, requestPasswordReset } from '@officium/contract/auth';
import {
  createActivity,
  createActivityReaction,
  createChildReaction,
  deleteActivity,
  deleteReaction,
  joinCommunity,
} from '@officium/contract/community';
import { updateCommunitySettings } from '@officium/contract/community-settings';
import { createArticle, joinAcademy } from '@officium/contract/content';
import { appealDecision, listMyDecisions } from '@officium/contract/decisions';
import { enrolPerson, referColleague } from '@officium/contract/enrolment';
import { completeLesson, enrolMyself, issueMyCertificate } from '@officium/contract/learner';
import { reportContent } from '@officium/contract/moderation';
import { setCommunityFollow, setPersonFollow } from '@officium/contract/follows';
import { updateNotificationPreferences } from '@officium/contract/notifications';
import { createAutoApproval, eraseUser, setBadges } from '@officium/contract/people';
import { addPushDevice } from '@officium/contract/push';
import { downloadDataExport, requestDataExport } from '@officium/contract/personal-data';
import { castVote, createCommunityPoll } from '@officium/contract/polls';
import { startPasskey } from '@officium/contract/second-factor';
import { readPayloadTranslation } from '@officium/contract/translation';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { takeTokens } from '#server/access/model-tokens.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, type Answer } from '#server/test/app.ts';
import { putIdentity } from '#server/areas/auth/provider.repository.ts';
import { giveApp, givePasskey } from '#server/test/factories/factors.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { assignRoles } from '#server/test/factories/roles.ts';
import { pushSubscription } from '#server/test/push-service.ts';
import { engineOf } from '#server/test/factories/translation.ts';
import { exportedNames, type PersonalTable } from './define.ts';
import { PERSONAL_TABLES } from '#server/app/personal-tables.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const { db } = test.ctx;
const service = { serviceKey: SERVICE_KEY };
const admin = await makePerson(test, { role: 'administrator' });

async function uploadPicture(person: TestPerson): Promise<void> {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const start =
    '--line\r\ncontent-disposition: form-data; name="file"; filename="me.png"\r\ncontent-type: image/png\r\n\r\n';
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/assets/users/me/profile-images',
    headers: {
      cookie: `session=${person.as.token}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=line',
    },
    payload: Buffer.concat([Buffer.from(start), bytes, Buffer.from('\r\n--line--\r\n')]),
  });
  expect(answer.statusCode).toBe(201);
}

/** A person who has used every feature, with a unique name and address. */
async function live() {
  const person = await makePerson(test, {
    name: `Quillfeather ${newId().slice(-6)}`,
    email: `quill-${newId()}@example.gov`,
    password: 'a word to remember',
    locale: 'en',
  });
  const { as, email } = person;
  const other = await makePerson(test);
  const ok = async (answer: Promise<{ status: number; body: any }>) => {
    const { status, body } = await answer; // read as each call needs it
    expect([status, body]).toEqual([expect.toSatisfy((code: number) => code < 300), body]);
    return body;
  };

  await ok(test.call(updateProfile, as, { body: { biography: '<b>Bees</b> & rivers', jobTitle: 'Beekeeper' } }));
  await uploadPicture(person);
  const chosen = { digestHour: 7, timeZone: 'Europe/Berlin', events: [{ event: 'reply', mail: 'weekly' }] };
  await ok(test.call(updateNotificationPreferences, as, { body: chosen }));
  await ok(test.call(addPushDevice, as, { body: pushSubscription() }));
  await sql`insert into notification_claims (name) values (${`digest ${person.id} 2026-11-21`})`.execute(db);
  await ok(test.call(askToConnect, as, { body: { peerId: other.id } }));
  await ok(test.call(requestPasswordReset, undefined, { params: { email } }));
  await givePasskey(test, person);
  await putIdentity(db, { issuer: 'https://localhost:1', subject: person.id, userId: person.id, granted: null });
  await giveApp(test, person);
  await ok(test.call(startPasskey, as));

  const community = await makeCommunity(db, { canJoin: 'authenticated' });
  const { slug } = community;
  await makeMember(db, community, other);
  const otherPostId = await makeActivity(db, community, other, { body: 'Words of somebody else' });
  await ok(test.call(joinCommunity, as, { params: { slug } }));
  await ok(test.call(setCommunityFollow, as, { params: { slug }, body: { level: 'watching' } }));
  await ok(test.call(setPersonFollow, as, { params: { id: other.id }, body: { level: 'muted' } }));
  const post = await ok(
    test.call(createActivity, as, {
      params: { slug },
      body: { body: 'I keep <bees>' },
      headers: { 'idempotency-key': 'bees' },
    }),
  );
  const gone = await ok(test.call(createActivity, as, { params: { slug }, body: { body: 'Soon regretted' } }));
  await ok(test.call(deleteActivity, as, { params: { slug, id: gone.id } }));
  for (const body of [{ kind: 'like' }, { kind: 'reply', body: 'Well said' }])
    await ok(test.call(createActivityReaction, as, { params: { slug, id: otherPostId }, body }));
  const reported = { community: slug, kind: 'activity', id: otherPostId, reason: 'other', note: 'It stings' };
  await ok(test.call(reportContent, as, { body: reported }));
  const bodyOfSettings = { locale: 'en', rules: [], slowModeSeconds: 0, postsPerDay: 1000 };
  await ok(test.call(updateCommunitySettings, admin.as, { params: { slug }, body: bodyOfSettings }));
  const unwanted = await ok(test.call(createActivity, as, { params: { slug }, body: { body: 'Buy my honey' } }));
  await ok(test.call(deleteActivity, admin.as, { params: { slug, id: unwanted.id } }));
  const { decisions } = await ok(test.call(listMyDecisions, as));
  await ok(test.call(appealDecision, as, { params: { id: decisions[0].id }, body: { text: 'It is good honey' } }));
  const rudeId = await makeReaction(db, community, { activityId: otherPostId }, other, { body: 'Of somebody else' });
  await ok(test.call(createChildReaction, as, { params: { slug, id: rudeId }, body: { kind: 'like' } }));
  await ok(test.call(deleteReaction, admin.as, { params: { slug, id: rudeId } }));
  await sql`
    insert into moderation_claims (object_id, user_id, until)
    values (${otherPostId}, ${person.id}, now() + interval '30 minutes')`.execute(db);
  const options = [1, 2].map((position) => ({ position, body: `Hive ${position}` }));
  const poll = await ok(
    test.call(createCommunityPoll, as, { params: { slug }, body: { title: 'Which hive?', options } }),
  );
  test.ctx.translation = engineOf(async ({ content }) => `In French: ${String(content)}`);
  const inFrench = { params: { id: poll.id, locale: 'fr' }, query: { payloadType: 'activity_payload' } };
  await ok(test.call(readPayloadTranslation, as, inFrench));
  await ok(test.call(castVote, as, { params: { id: poll.optionIds[0] }, body: { remark: 'the sunny one' } }));
  await ok(
    test.call(createArticle, as, {
      body: { title: 'How bees decide', subtitle: 'And what we may learn', body: 'They dance for it.', tags: [] },
    }),
  );

  const course = await makeCourse(test);
  const slugs = { courseSlug: course.slug, journeySlug: course.journey.slug };
  await ok(test.call(enrolMyself, as, { body: slugs }));
  for (const { slug: lessonSlug } of course.journey.lessons)
    await ok(test.call(completeLesson, as, { params: { ...slugs, lessonSlug } }));
  await sql`select fold_figures()`.execute(db);
  const { certificate } = await ok(test.call(issueMyCertificate, as, { params: slugs, body: {} }));
  expect((await test.send('GET', new URL(certificate.certificateUrl).pathname)).status).toBe(200);
  const lessonSlug = course.journey.lessons[0]?.slug;
  await ok(test.call(askLesson, as, { body: { query: 'What is the text?', ...slugs, lessonSlug } }));
  const call = { id: newId(), userId: person.id, tokens: 10 };
  expect(await takeTokens(db, call, { aPerson: 1_000, aDay: 1_000, atOnce: 1 })).toBe('taken');
  await ok(
    test.call(referColleague, as, { body: { email: 'colleague@example.gov', type: 'courses', slug: course.slug } }),
  );

  const cohortId = await makeCohort(test, { name: 'Beekeepers' });
  await assignRoles(test, person, [{ role: 'report-reader', kind: 'cohort', id: cohortId }]);
  await ok(test.call(addCohortUser, admin.as, { params: { id: cohortId }, body: { email } }));
  await sql`select fold_tallies()`.execute(db);
  const enrolment = {
    body: { email, userDefaults: {}, cohortIds: [cohortId], enrolments: [{ type: 'courses', slug: course.slug }] },
    headers: { 'idempotency-key': `enrol ${slug}` },
  };
  await ok(test.call(enrolPerson, service, enrolment));
  await ok(test.call(createAutoApproval, admin.as, { body: { type: 'email', value: email } }));
  await ok(
    test.call(setBadges, service, { params: { id: person.id }, body: { badges: { platform: { bees: ['one'] } } } }),
  );

  const academy = `academy-${newId()}`;
  await sql`insert into entries (id, content_type, source) values (${academy}, 'academy', 'folder')`.execute(db);
  await sql`
    insert into products (entry_id, content_type, can_view, can_join)
    values (${academy}, 'academy', 'public', 'authenticated')`.execute(db);
  await sql`insert into academies (id, slug, title) values (${academy}, ${academy}, '{"en": "An academy"}')`.execute(
    db,
  );
  await ok(test.call(joinAcademy, as, { params: { slug: academy } }));
  const event = `event-${newId()}`;
  const sessionId = newId();
  await sql`insert into entries (id, content_type, source) values (${event}, 'event', 'folder')`.execute(db);
  await sql`
    insert into editorials (id, kind, slug, title) values (${event}, 'event', ${event}, '{"en": "A day"}')`.execute(db);
  await sql`
    insert into events (id, time_zone, starts, ends)
    values (${event}, 'UTC', '2030-01-01T09:00', '2030-01-01T10:00')`.execute(db);
  await sql`
    insert into event_sessions (id, event_id, starts_at, ends_at)
    values (${sessionId}, ${event}, '2030-01-01 09:00Z', '2030-01-01 10:00Z')`.execute(db);
  await sql`
    insert into event_registrations (session_id, user_id, status) values (${sessionId}, ${person.id}, 'seat')`.execute(
    db,
  );
  await sql`insert into whole_exports (id, user_id) values (${newId()}, ${person.id})`.execute(db);
  await sql`
    insert into event_feeds (user_id, token_hash) values (${person.id}, ${Buffer.from(newId())})`.execute(db);
  const microcourse = `microcourse-${newId()}`;
  await sql`insert into entries (id, content_type, source) values (${microcourse}, 'microcourse', 'folder')`.execute(
    db,
  );
  await sql`
    insert into microcourses (id, slug, title) values (${microcourse}, ${microcourse}, '{"en": "Short"}')`.execute(db);
  await sql`
    insert into microcourse_completions (user_id, microcourse_id) values (${person.id}, ${microcourse})`.execute(db);
  await sql`
    insert into assessment_attempts (id, user_id, lesson_key, locale, pass_mark, review, questions, answers,
      marks, mark_version, submitted_at, score, passed)
    select ${newId()}, ${person.id}, key, 'en', 70, 'none', '[{"questionHtml": "Why?", "options": []}]',
      '{"1": {"choice": [], "text": "Because"}}', '{"1": {"points": [2], "comment": "Give an example."}}', 1, now(), 66,
      false from lessons limit 1`.execute(db);
  await sql`
    insert into evaluation_people (user_id, journey_key, outcome)
    select ${person.id}, key, 'answered' from journeys limit 1`.execute(db);

  // Rows that a former administrator leaves.
  await sql`
    insert into content_pieces (kind, key, entry_id, user_id)
    values ('academy', ${academy}, ${academy}, ${person.id})`.execute(db);
  await sql`
    insert into content_versions (kind, key, number, source, doc, user_id)
    values ('academy', ${academy}, 1, 'authoring', '{}', ${person.id})`.execute(db);
  await sql`
    insert into content_writers (kind, key, user_id) values ('academy', ${academy}, ${person.id})`.execute(db);
  await sql`insert into cohort_joiners (cohort_id, user_id) values (${cohortId}, ${person.id})`.execute(db);
  const reminderId = newId();
  await sql`
    insert into cohort_reminders (id, cohort_id, journey_key, words)
    values (${reminderId}, ${cohortId}, ${course.journey.key}, '')`.execute(db);
  await sql`
    insert into learner_reminders (user_id, journey_key, reminder_id)
    values (${person.id}, ${course.journey.key}, ${reminderId})`.execute(db);
  await sql`
    insert into learning_months (month, user_id, course_id, lessons, minutes, enrolments, completions, certificates)
    values ('2026-03-01', ${person.id}, ${course.id}, 1, 10, 1, 0, 0)`.execute(db);
  await sql`
    insert into content_imports (id, user_id, name, bytes, files)
    values (${newId()}, ${person.id}, 'spring.zip', 100, 1)`.execute(db);
  await sql`insert into stored_files (key, bytes, user_id) values (${`${person.id}.txt`}, 5, ${person.id})`.execute(db);
  await sql`
    insert into post_pictures (id, key, community_id, user_id, width, height)
    select ${randomUUID()}, ${`${person.id}.webp`}, id, ${person.id}, 1, 1 from communities limit 1`.execute(db);
  await sql`
    insert into article_pictures (id, key, user_id, article_id, width, height, color)
    select ${randomUUID()}, ${`${person.id}-cover.webp`}, ${person.id}, id, 1, 1, '#000000' from articles limit 1`.execute(
    db,
  );
  await sql`
    insert into resumable_uploads (id, user_id, place, name, bytes, modified, reserved, token)
    values (${randomUUID()}, ${person.id}, 'lesson/x', ${email}, 5, 0, 5, '')`.execute(db);
  await sql`insert into incoming_files (id, bytes, user_id) values (${newId()}, 5, ${person.id})`.execute(db);
  await sql`
    insert into cohort_drafts (id, cohort_id, user_id, name, content, columns, chosen, line_count, emails, wrong,
      wrong_count, repeated, fresh, already, inactive)
    values (${newId()}, ${cohortId}, ${person.id}, 'May', '', '[]', 0, 0, '{}', '[]', 0, 0, 0, 0, 0)`.execute(db);

  // Rows that exist only before an account does.
  const uploadId = newId();
  await sql`insert into cohort_uploads (id, cohort_id, slug, locale) values (${uploadId}, ${cohortId}, 'may', 'en')`.execute(
    db,
  );
  await sql`
    insert into cohort_upload_rows (upload_id, position, email, outcome) values (${uploadId}, 0, ${email}, 'already')`.execute(
    db,
  );
  await sql`insert into cohort_invitations (id, cohort_id, email) values (${newId()}, ${cohortId}, ${email})`.execute(
    db,
  );
  await sql`insert into community_owner_claims (community_id, email) values (${community.id}, ${email})`.execute(db);
  await sql`insert into course_contacts (course_id, position, name, email, profile_id)
    select id, 90 + (select count(*) from course_contacts where course_id = courses.id), ${person.name}, ${email}, ${person.id} from courses order by id limit 1`.execute(
    db,
  );
  await sql`
    insert into payments (id, user_id, journey_key, locale, title, amount, currency, state, intent)
    select ${newId()}, ${person.id}, key, 'en', 'A journey', 4900, 'EUR', 'paid', ${newId()} from journeys limit 1`.execute(
    db,
  );
  return { person, postId: post.id, otherPostId, slug, enrolment };
}

const rowsAbout = async (table: PersonalTable, person: TestPerson) =>
  (
    await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(table.table)} t where ${table.isAbout(person)}`.execute(db)
  ).rows.map(({ row }) => row);

/** The tables that contain a text, in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind in ('r', 'p')
    order by 1`.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`
      select 1 from ${sql.raw(name)} t where position(lower(${text}) in lower(to_jsonb(t)::text)) > 0 limit 1`.execute(
      db,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function fetchArchive(person: TestPerson): Promise<Map<string, string>> {
  const asked = await test.call(requestDataExport, person.as);
  expect(asked.status).toBe(202);
  await test.drain();
  const { id } = asked.body;
  const response = await test.app.inject({
    url: `/api/account/accounts/me/exports/${id}/file`,
    headers: { cookie: `session=${person.as.token}` },
  });
  expect(response.statusCode).toBe(200);
  const reader = new ZipReader(new BlobReader(new Blob([response.rawPayload as Uint8Array<ArrayBuffer>])));
  const entries = new Map<string, string>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue;
    if (entry.filename.endsWith('.webp')) {
      const blob = await entry.getData(new BlobWriter());
      entries.set(entry.filename, (await sharp(await blob.arrayBuffer()).metadata()).format ?? '');
    } else entries.set(entry.filename, await entry.getData(new TextWriter()));
  }
  return entries;
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('a person who used every feature', () => {
  let lived: Awaited<ReturnType<typeof live>>;
  let person: TestPerson;
  let archive: Map<string, string>;
  let secrets: (string | undefined)[];
  beforeAll(async () => {
    lived = await live();
    person = lived.person;
    // The mails are read while they wait: their texts hold the secrets.
    const mails = await test.mails(person.email);
    secrets = mails.flatMap(({ body_text: text }) =>
      [...text.matchAll(/forgotPassword=([\w-]+)/g)].map(([, secret]) => secret),
    );
    archive = await fetchArchive(person);
  });
  const dataOf = (table: PersonalTable) =>
    (JSON.parse(archive.get(`${table.part}.json`) ?? '{}') as Record<string, Record<string, unknown>[]>)[table.table];

  it.each(PERSONAL_TABLES.map((table) => [table.table, table] as const))('has rows in %s', async (_, table) => {
    expect((await rowsAbout(table, person)).length).toBeGreaterThan(0);
  });

  it('is named only in rows that their table declares as theirs', async () => {
    const declared = PERSONAL_TABLES.map(({ table }) => table as string);
    // Jobs contain user ids until they are done.
    for (const text of [person.id, person.email, person.name])
      expect(
        (await tablesWith(text)).filter((table) => !table.startsWith('jobs.') && !declared.includes(table)),
      ).toEqual([]);
    for (const table of PERSONAL_TABLES) {
      const { rows } = await sql<{ row: unknown }>`
        select to_jsonb(t) as row from ${sql.table(table.table)} t
        where (position(${person.id} in to_jsonb(t)::text) > 0 or position(${person.email} in to_jsonb(t)::text) > 0)
          and not coalesce(${table.isAbout(person)}, false)`.execute(db);
      expect([table.table, rows]).toEqual([table.table, []]);
    }
  });

  it.each(
    PERSONAL_TABLES.filter((table) => exportedNames(table).length > 0).map((table) => [table.table, table] as const),
  )('finds every row of %s in the export', async (_, table) => {
    const given = dataOf(table) ?? [];
    const held = await rowsAbout(table, person);
    // The mail about the export was written after it.
    const before = table.table === 'mails' ? held.filter(({ kind }) => kind !== 'data_export') : held;
    expect(given.length).toBe(before.length);
    for (const [column, shown] of Object.entries(table.columns as Record<string, unknown>)) {
      if (typeof shown !== 'string') continue;
      const values = (rows: Record<string, unknown>[], name: string) =>
        rows.map((row) => toComparable(row[name])).toSorted();
      expect([column, values(given, shown)]).toEqual([column, values(before, column)]);
    }
    const names = exportedNames(table).toSorted();
    for (const row of given) expect(Object.keys(row).toSorted()).toEqual(names);
  });

  it('reads the same as pages: in their language, escaped and without scripts', () => {
    const index = archive.get('index.html') ?? '';
    expect(index).toContain(`<html lang="en" dir="ltr">`);
    expect(index).toContain(person.name);
    for (const name of archive.keys())
      if (name.endsWith('.html') && name !== 'index.html') expect(index).toContain(name);
    const writing = archive.get('writing.html') ?? '';
    for (const words of ['Well said', 'Which hive?', 'How bees decide', 'the sunny one', 'Hive 2'])
      expect(writing).toContain(words);
    for (const [name, page] of archive) {
      if (!name.endsWith('.html')) continue;
      expect([name, /<script|<bees>| on\w+=|https?:\/\/(?!localhost)/i.test(page)]).toEqual([name, false]);
    }
  });

  it('contains their picture', () => {
    expect([...archive].filter(([name]) => name.startsWith('pictures/')).map(([, format]) => format)).toEqual(['webp']);
  });

  it('contains no secret and no other person', async () => {
    const whole = [...archive.values()].join('\n');
    expect(secrets).not.toEqual([]);
    const { rows: hashes } = await sql<{ secret: string }>`
      select password_hash as secret from users where id = ${person.id}
      union all select encode(token_hash, 'hex') from sessions where user_id = ${person.id}
      union all select id::text from sessions where user_id = ${person.id}
      union all select encode(code_hash, 'hex') from recovery_codes where user_id = ${person.id}
      union all select credential_id from passkeys where user_id = ${person.id}
      union all select encode(secret_hash, 'hex') from challenges where user_id = ${person.id}`.execute(db);
    for (const secret of [...secrets, ...hashes.map((row) => row.secret), person.as.token ?? ''])
      expect(whole).not.toContain(secret);
    expect(whole).not.toContain('colleague@example.gov');
    expect(whole).not.toContain('Words of somebody else');
    expect(whole).not.toContain(admin.id);
  });

  describe('and is erased', () => {
    let answer: Answer;
    beforeAll(async () => {
      answer = await test.call(deleteAccount, admin.as, { params: { email: person.email } });
      await test.drain();
    });

    it('is found nowhere by name or address', async () => {
      expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
      expect(await tablesWith(person.email)).toEqual([]);
      expect(await tablesWith(person.name)).toEqual([]);
    });

    it('leaves their id only where that is declared', async () => {
      const kept = PERSONAL_TABLES.filter(({ erase }) => erase.rows !== 'deleted').map(({ table }) => table as string);
      const left = (await tablesWith(person.id)).filter((table) => !table.startsWith('jobs.'));
      expect(left.filter((table) => !kept.includes(table))).toEqual([]);
      expect(left).toContain('audit_log');
      for (const table of PERSONAL_TABLES)
        if (table.erase.rows === 'deleted')
          expect([table.table, await rowsAbout(table, person)]).toEqual([table.table, []]);
    });

    it('leaves no file', async () => {
      const names = await readdir(join(test.ctx.config.dataDir, 'files'), { recursive: true });
      expect(names.filter((name) => /\.(webp|zip|part)$/.test(name))).toEqual([]);
    });

    it('leaves their texts under another name, and deletes the content of those they had deleted', async () => {
      const { slug, postId } = lived;
      const read = await test.send('GET', `/api/community/communities/${slug}/activities/${postId}`, { as: admin.as });
      expect(read.body).toMatchObject({ body: expect.stringContaining('I keep'), actor: { name: 'Deleted user' } });
      expect(await tablesWith('Soon regretted')).toEqual([]);
    });

    it('leaves every count exact', async () => {
      const { rows } = await sql<{ count: string }>`
        select 'members' as count from communities c where c.member_count <>
          (select count(*) from community_members m where m.community_id = c.id and m.status = 'active')
        union all select 'activities' from communities c where activity_count(c.id) <>
          (select count(*) from activities a where a.community_id = c.id and a.deleted_at is null)
        union all select 'likes' from activities a where a.like_count <>
          (select count(*) from reactions r where r.activity_id = a.id and r.parent_id is null and r.kind = 'like')
        union all select 'replies' from activities a where a.reply_count <>
          (select count(*) from reactions r where r.activity_id = a.id and r.parent_id is null and r.kind = 'reply'
            and r.deleted_at is null)
        union all select 'votes' from polls p where p.vote_count <>
          (select count(*) from poll_votes v where v.poll_id = p.id)`.execute(db);
      expect(rows).toEqual([]);
      const { slug, otherPostId } = lived;
      const read = await test.send('GET', `/api/community/communities/${slug}/activities/${otherPostId}`, {
        as: admin.as,
      });
      expect(read.body.reaction_counts).toMatchObject({ like: 1, reply: 1 });
    });

    it('is repeatable', async () => {
      const before = await sql`select to_jsonb(u) as row from users u where id = ${person.id}`.execute(db);
      expect((await test.call(deleteAccount, admin.as, { params: { email: person.email } })).status).toBe(404);
      expect((await test.call(eraseUser, admin.as, { params: { id: person.id } })).status).toBe(404);
      expect((await test.call(requestDataExport, person.as)).status).toBe(401);
      expect(await sql`select to_jsonb(u) as row from users u where id = ${person.id}`.execute(db)).toEqual(before);
    });

    it('is not undone by a service that repeats its request', async () => {
      const again = await test.call(enrolPerson, service, lived.enrolment);
      expect([again.status, again.body.code]).toEqual([404, 'request.not_found']);
      expect(await tablesWith(person.email)).toEqual([]);
    });
  });
});

describe('a person who erases their own account', () => {
  it('is found nowhere by name or address, nor by a picture or an export', async () => {
    const { person } = await live();
    await test.call(requestDataExport, person.as);
    const answer = await test.call(eraseUser, person.as, { params: { id: 'me' } });
    expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
    await test.drain();
    expect(await tablesWith(person.email)).toEqual([]);
    expect(await tablesWith(person.name)).toEqual([]);
    const names = await readdir(join(test.ctx.config.dataDir, 'files'), { recursive: true });
    expect(names.filter((name) => /\.(webp|zip|part)$/.test(name))).toEqual([]);
    expect((await test.call(downloadDataExport, person.as, { params: { id: newId() } })).status).toBe(401);
  });
});

/** As text, with timestamps normalised: the database writes more digits, and an offset instead of Z. */
function toComparable(value: unknown): string {
  const text = JSON.stringify(plain(value)) ?? 'null';
  const moment = /^"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00))"$/.exec(text)?.[1];
  return moment === undefined ? text : new Date(moment).toISOString();
}
