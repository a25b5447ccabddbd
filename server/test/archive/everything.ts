import { createHash, randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { BlobReader, type FileEntry, TextWriter, ZipReader } from '@zip.js/zip.js';
import { sql } from 'kysely';
import sharp from 'sharp';
import { openSession } from '#server/access/sessions.ts';
import { fileKey, PICTURE_EDGES, pictureAddress } from '#server/areas/account/picture.policy.ts';
import { readContentFolder } from '#server/areas/importing/folder-reader.format.ts';
import { makeLogo } from '#server/areas/site/logo.service.ts';
import { importFolder } from '#server/areas/importing/import.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, newId } from '#server/db/client.ts';
import { loadDemo } from '#server/demo/load.ts';
import { seed } from '#server/seed/seed.ts';
import { makeContentFolder } from '../factories/content.ts';

/** Rows that tests look for. */
export type Everything = { learnerId: string; otherId: string; anonymousPollId: string; namedPollId: string };

/**
 * Fills an installation so that every table with records has some: the demo, seeded people, a content folder with
 * pictures, and a row in each table that these leave empty.
 */
export async function fillEverything(ctx: Ctx): Promise<Everything> {
  const { db } = ctx;
  await loadDemo(ctx);
  await seed(ctx, { size: 60, isForced: true, print: () => {} });
  await fillContent(ctx);
  const { rows: people } = await sql<{ id: string }>`
    select id from users where role = 'public-servant' and erased_at is null order by id limit 2`.execute(db);
  const [learnerId = '', otherId = ''] = people.map(({ id }) => id);
  await fillAccount(ctx, { learnerId, otherId });
  await fillCommunity(db, { learnerId, otherId });
  await fillPictures(ctx, learnerId);
  await fillLearning(db, learnerId);
  const polls = await fillPolls(db, learnerId);
  // A deleted account, whose posts stay.
  await sql`
    update users set name = 'Deleted user', email = null, email_proven_at = null, password_hash = null, erased_at = now()
    where id = (select author_id from activities where author_id <> all(${[learnerId, otherId]}::uuid[])
      and author_id not in (select id from users where role = 'administrator') order by author_id limit 1)`.execute(db);
  return { learnerId, otherId, ...polls };
}

const LOGO = { width: 40, height: 10, channels: 4, background: '#336699' } as const;

async function fillSite(ctx: Ctx): Promise<void> {
  const logo = await makeLogo(ctx, await sharp({ create: LOGO }).png().toBuffer());
  const { db } = ctx;
  await db
    .insertInto('site_versions')
    .values([
      { version: 1, identity: JSON.stringify({ name: 'First', logo }) },
      { version: 2, identity: JSON.stringify({ name: 'Second' }) },
    ])
    .execute();
  await sql`
    insert into site_page_versions (kind, locale, version, body, body_html)
    values ('imprint', 'it', 1, 'Road 1', '<p>Road 1</p>'), ('imprint', 'it', 2, null, null)`.execute(db);
  await sql`
    insert into site_notices (id, level, audience, texts, url, starts_at, ends_at)
    values (${newId()}, 'warning', 'everyone', '{"en": "Closed"}', '/help', '2026-01-01', '2126-01-01')`.execute(db);
}

async function fillContent(ctx: Ctx): Promise<void> {
  const { db } = ctx;
  await fillSite(ctx);
  const { folder, assets } = await readContentFolder(await makeContentFolder());
  if (!folder) throw new Error('the content folder has faults');
  await importFolder(ctx, folder, assets);
  await sql`update courses set slug = slug || '-renamed' where id = (select min(id) from courses)`.execute(db);
  await sql`insert into platform_assets (id, fields) values ('asset-1', '{"title": {"en": "A file"}}')`.execute(db);
  await sql`insert into fetched_entries (entry_id, version) select min(id), 7 from entries`.execute(db);
  await sql`
    insert into content_pieces (kind, key, entry_id, academy_id, draft)
    select 'course', id, id, (select min(id) from academies), '{"title": {"en": "A draft"}}' from courses limit 1`.execute(
    db,
  );
  await sql`
    insert into content_versions (kind, key, number, source, doc)
    select kind, key, 1, 'import', '{"n": 1.50}' from content_pieces limit 1`.execute(db);
  await fillFiles(ctx);
  // A withdrawn lesson with its completions stays.
  await sql`
    update lessons set withdrawn_at = now() where key = (select lesson_key from lesson_completions limit 1)`.execute(
    db,
  );
}

/** The files of the content, by what names them. */
export const NAMED_FILES = { draft: 'Notes of a draft', version: 'Notes of a version' };
export const namedKey = (text: string) => `${createHash('sha256').update(text).digest('hex')}.txt`;

/** Files that no published text names; those of published texts come with the content folder. */
async function fillFiles({ db, files }: Ctx): Promise<void> {
  for (const text of Object.values(NAMED_FILES)) {
    await files.put(`content-assets/${namedKey(text)}`, Buffer.from(text), 'text/plain');
    await sql`
      insert into stored_files (key, bytes, user_id)
      select ${namedKey(text)}, ${text.length}, id from users order by id limit 1`.execute(db);
  }
  const images = (text: string) => JSON.stringify([{ path: 'media/notes.txt', key: namedKey(text) }]);
  await sql`
    update content_pieces set draft = draft || jsonb_build_object('images', ${images(NAMED_FILES.draft)}::jsonb)`.execute(
    db,
  );
  await sql`
    update content_versions set doc = doc || jsonb_build_object('images', ${images(NAMED_FILES.version)}::jsonb)`.execute(
    db,
  );
}

async function fillAccount(ctx: Ctx, { learnerId, otherId }: { learnerId: string; otherId: string }): Promise<void> {
  const { db, files, config } = ctx;
  const picture = newId();
  for (const edge of PICTURE_EDGES) {
    const square = { width: edge, height: edge, channels: 3, background: '#336699' } as const;
    await files.put(fileKey(picture, edge), await sharp({ create: square }).webp().toBuffer(), 'image/webp');
  }
  await sql`insert into profile_images (id, user_id) values (${picture}, ${learnerId})`.execute(db);
  const [full, thumbnail] = PICTURE_EDGES.map((edge) => pictureAddress(config.publicUrl, picture, edge));
  await sql`
    update users set image_full = ${full}, image_thumbnail = ${thumbnail}, biography = ${'“Quoted” \\ and\nbroken \u2028 lines'},
      password_hash = ${`$argon2id$${randomBytes(24).toString('base64')}`}, second_factor = true
    where id = ${learnerId}`.execute(db);
  const secrets = { totp: randomBytes(20), code: randomBytes(32), feed: randomBytes(32), key: randomBytes(32) };
  await sql`insert into totp_factors (user_id, secret) values (${learnerId}, ${secrets.totp})`.execute(db);
  await sql`insert into recovery_codes (user_id, code_hash) values (${learnerId}, ${secrets.code})`.execute(db);
  await sql`insert into event_feeds (user_id, token_hash) values (${learnerId}, ${secrets.feed})`.execute(db);
  await sql`
    insert into challenges (id, kind, user_id, secret_hash, expires_at)
    values (${newId()}, 'password-reset', ${learnerId}, ${randomBytes(32)}, now() + interval '1 hour')`.execute(db);
  await sql`
    insert into password_history (id, user_id, password_hash)
    values (${newId()}, ${learnerId}, ${`$argon2id$${randomBytes(24).toString('base64')}`})`.execute(db);
  await openSession(db, { userId: learnerId });
  await sql`
    insert into provider_identities (issuer, subject, user_id) values ('https://id.example.gov', 's-1', ${learnerId})`.execute(
    db,
  );
  await sql`
    insert into notification_preferences (user_id, event, in_app, mail, push)
    values (${learnerId}, 'reply', 'never', 'weekly', 'never')`.execute(db);
  await sql`
    insert into notification_settings (user_id, digest_hour, time_zone, secret)
    values (${learnerId}, 7, 'Europe/Berlin', ${secrets.key})`.execute(db);
  await sql`insert into notification_claims (name) values (${`digest ${learnerId} 2026-11-21`})`.execute(db);
  await sql`
    insert into referrals (id, referrer_id, email, type, slug)
    values (${newId()}, ${learnerId}, 'colleague@example.gov', 'courses', 'plain-language')`.execute(db);
  await sql`insert into follows (user_id, person_id, level) values (${learnerId}, ${otherId}, 'muted')`.execute(db);
  await sql`insert into follows (user_id, topic, level) values (${learnerId}, 'budget', 'watching')`.execute(db);
}

async function fillPictures({ db, files }: Ctx, personId: string): Promise<void> {
  const key = `${'ab'.repeat(32)}.webp`;
  await files.put(`content-assets/${key}`, await sharp({ create: LOGO }).webp().toBuffer(), 'image/webp');
  await sql`insert into stored_files (key, bytes, user_id) values (${key}, 10, ${personId})`.execute(db);
  await sql`
    insert into post_pictures (id, key, community_id, user_id, object_id, width, height)
    select ${newId()}, ${key}, community_id, ${personId}, id, 40, 10 from activities where community_id is not null limit 1`.execute(
    db,
  );
  await sql`
    insert into article_pictures (id, key, user_id, article_id, width, height, color)
    select ${newId()}, ${key}, ${personId}, id, 40, 10, '#336699' from articles limit 1`.execute(db);
}

async function fillCommunity(db: Db, { learnerId, otherId }: { learnerId: string; otherId: string }): Promise<void> {
  await sql`
    insert into community_settings (community_id, locale, rules, rules_html, slow_mode_seconds)
    select id, 'en', '{Be kind}', '{<p>Be kind</p>}', 60 from communities order by id limit 1`.execute(db);
  await sql`
    insert into community_owner_claims (community_id, email)
    select id, 'owner@example.gov' from communities order by id limit 1`.execute(db);
  const { rows } = await sql<{ id: string; author: string }>`
    select id, author_id as author from activities
    where community_id is not null and deleted_at is null and verb = 'post' order by id desc limit 3`.execute(db);
  const [first, second, third] = rows;
  await sql`
    insert into article_shares (activity_id, article_id) select ${first?.id}, id from articles order by id limit 1`.execute(
    db,
  );
  await sql`insert into discussion_shares (activity_id, discussion_id) values (${second?.id}, ${third?.id})`.execute(
    db,
  );
  await sql`
    insert into activity_people (activity_id, user_id, kind, times)
    values (${first?.id}, ${first?.author === learnerId ? otherId : learnerId}, 'share', 2)`.execute(db);
  await sql`
    update activities set people_points = people_points + activity_points('share'),
      hot = activity_hot(people_points + activity_points('share'), created_at) where id = ${first?.id}`.execute(db);
  await sql`
    insert into moderation_held_likes (id, decision_id, user_id, created_at)
    select ${newId()}, id, ${learnerId}, now() from moderation_decisions order by id limit 1`.execute(db);
  await sql`
    insert into machine_translations (thing_id, part, source, target, engine, content_hash, translation)
    select id, 'title', 'en', 'fr', 'test', ${randomBytes(32)}, 'Un titre' from articles order by id limit 1`.execute(
    db,
  );
  await sql`
    insert into cohort_uploads (id, cohort_id, slug, locale)
    select ${newId()}, id, 'list.csv', 'en' from cohorts order by id limit 1`.execute(db);
  await sql`
    insert into cohort_upload_rows (upload_id, position, email, outcome)
    select id, 0, 'row@example.gov', 'invited' from cohort_uploads order by id limit 1`.execute(db);
}

async function fillLearning(db: Db, learnerId: string): Promise<void> {
  await sql`
    insert into payments (id, user_id, journey_key, locale, title, amount, currency, state, intent)
    select ${newId()}, ${learnerId}, key, 'en', 'A journey', 4900, 'EUR', 'paid', 'pi_1' from journeys limit 1`.execute(
    db,
  );
  await sql`
    insert into role_assignments (user_id, role, kind, community_id)
    select ${learnerId}, 'moderator', 'community', id from communities limit 1`.execute(db);
  await sql`
    insert into microcourse_completions (user_id, microcourse_id)
    select ${learnerId}, id from microcourses order by id limit 1`.execute(db);
  await sql`
    insert into course_questions (course_id, locale, file, source, questions)
    select id, 'en', null, 'Why?', '[{"quiz": "1", "questionHtml": "<p>Why?</p>"}]' from courses order by id limit 1
    on conflict do nothing`.execute(db);
  await sql`
    insert into assessment_attempts (id, user_id, lesson_key, locale, pass_mark, review, questions, answers,
      marks, mark_version, submitted_at, score, passed)
    select ${newId()}, ${learnerId}, key, 'en', 70, 'answers', '[{"quiz": "1", "questionHtml": "<p>Why?</p>"}]',
      '{"1": {"choice": [], "text": "Because"}}', '{"1": {"points": [1], "comment": "Well done."}}', 1, now(), 100, true from lessons order by key limit 1`.execute(
    db,
  );
  await sql`
    insert into evaluation_people (user_id, journey_key, outcome)
    select ${learnerId}, key, 'answered' from journeys order by key limit 1`.execute(db);
  await sql`insert into evaluations (journey_key, counted) select key, 5 from journeys order by key limit 1`.execute(
    db,
  );
  await sql`
    insert into evaluation_counts (journey_key, question_id, shape, question, answers, counts)
    select key, 'q1', 'text:0', '{"id": "q1", "type": "text", "text": {"en": "Why?"}, "options": {}}', 5, '{}'
    from journeys order by key limit 1`.execute(db);
  await sql`
    insert into evaluation_texts (journey_key, question_id, shape, body)
    select key, 'q1', 'text:0', 'Because' from journeys order by key limit 1`.execute(db);
  await sql`
    insert into credential_keys (kid, public_key) values ('key-of-the-archive', '{"kty": "OKP", "x": "AAAA"}')`.execute(
    db,
  );
  await sql`
    insert into certificate_files (certificate_id, sha256)
    select id, ${randomBytes(32)} from certificates order by id limit 1`.execute(db);
  await sql`update journeys set certificate_months = 24 where key = (select key from journeys order by key limit 1)`.execute(
    db,
  );
  // A revoked certificate that a later one replaces, in another batch than the first.
  await sql`
    update certificates c set revoked_at = now(), replaced_by = (select max(id::text)::uuid from certificates)
    where id = (select min(id::text)::uuid from certificates)`.execute(db);
  const threadId = newId();
  await sql`
    insert into ai_threads (id, user_id, lesson_key, title)
    select ${threadId}, ${learnerId}, key, 'A question' from lessons order by key limit 1`.execute(db);
  await sql`
    insert into ai_messages (id, thread_id, role, content) values (${newId()}, ${threadId}, 'user', 'What is this?')`.execute(
    db,
  );
}

/** Shows who voted in one poll; another stays anonymous, with a vote of a person who did not write it. */
async function fillPolls(db: Db, learnerId: string): Promise<{ anonymousPollId: string; namedPollId: string }> {
  const { rows } = await sql<{ id: string }>`
    select id from polls where deadline_at > now() order by id limit 2`.execute(db);
  const [namedPollId = '', anonymousPollId = ''] = rows.map(({ id }) => id);
  await sql`update polls set hide_participants = false where id = ${namedPollId}`.execute(db);
  for (const poll of [namedPollId, anonymousPollId])
    await sql`
      select cast_vote(${newId()}, (select id from poll_options where poll_id = ${poll} order by position limit 1),
        ${learnerId}, '{"remark": "mine"}')`.execute(db);
  await sql`
    insert into notifications (id, user_id, event, object_id, activity_id)
    values (${newId()}, ${learnerId}, 'poll_outcome', ${anonymousPollId}, ${anonymousPollId})`.execute(db);
  return { anonymousPollId, namedPollId };
}

/** The texts of a ZIP by path; pictures as hexadecimal. */
export async function readTexts(file: string): Promise<Map<string, string>> {
  const zip = new ZipReader(new BlobReader(await openAsBlob(file)));
  const texts = new Map<string, string>();
  for (const entry of await zip.getEntries())
    texts.set(entry.filename, await (entry as FileEntry).getData(new TextWriter())); // archives have no folders
  await zip.close();
  return texts;
}
