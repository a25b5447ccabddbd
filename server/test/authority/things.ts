import { zipKey } from '#server/areas/importing/folder-zip-key.policy.ts';
import { sql } from 'kysely';
import { openSession } from '#server/access/sessions.ts';
import { wholeExportKey } from '#server/areas/archive/whole-export.policy.ts';
import { exportKey } from '#server/areas/account/export.policy.ts';
import {
  deleteActivity,
  insertActivity,
  lockActivity,
  type Place,
} from '#server/areas/community/posts/activity.repository.ts';
import { openJobThread } from '#server/areas/ai/thread.repository.ts';
import { insertPoll } from '#server/areas/community/polls/poll.repository.ts';
import { addReaction } from '#server/areas/community/reactions/reaction.repository.ts';
import { castVote } from '#server/areas/community/polls/vote.repository.ts';
import { putReport } from '#server/areas/moderation/report.repository.ts';
import { inTransaction, newId } from '#server/db/client.ts';
import { makePerson } from '../factories/accounts.ts';
import { makeCohort, putInCohort } from '../factories/cohorts.ts';
import { makeCommunity, makeMember } from '../factories/communities.ts';
import { makeCourse } from '../factories/courses.ts';
import { pushSubscription } from '../push-service.ts';
import type { TestApp } from '../app.ts';
import { makeZip } from '../factories/zips.ts';

// Objects for the requests of the table, created in the database.

type Person = { id: string };
type Scopes = { canView?: string; canJoin?: string };

let counter = 0;
/** A unique word. */
export const fresh = (word: string) => `${word}-${(counter += 1)}-${newId().slice(-6)}`;
export const freshEmail = () => `${fresh('somebody')}@example.gov`;

// Texts in a community, a lesson or on a profile.

const WORDS = { body: 'Hello', bodyHtml: '<p>Hello</p>' };

export async function makePost(test: TestApp, place: Place, author: Person): Promise<string> {
  return await inTransaction(test.ctx.db, async (trx) =>
    'lessonKey' in place
      ? await insertActivity(trx, {
          communityId: null,
          lessonKey: place.lessonKey,
          authorId: author.id,
          verb: 'lesson',
          title: null,
          body: null,
          bodyHtml: null,
          bodyMap: { en: 'Hello' },
          bodyHtmlMap: { en: '<p>Hello</p>' },
          locale: 'en',
        })
      : await insertActivity(trx, {
          ...WORDS,
          communityId: 'communityId' in place ? place.communityId : null,
          authorId: author.id,
          verb: 'post',
          title: 'Hello',
          locale: 'en',
        }),
  );
}

export type MadePoll = { id: string; optionId: string };

export async function makePoll(
  test: TestApp,
  place: { communityId: string | null },
  author: Person,
): Promise<MadePoll> {
  const optionId = newId();
  const id = await inTransaction(test.ctx.db, async (trx) => {
    const activityId = await insertActivity(trx, {
      ...place,
      authorId: author.id,
      verb: 'poll',
      title: 'Which one?',
      body: null,
      bodyHtml: null,
      locale: 'en',
    });
    await insertPoll(trx, {
      id: activityId,
      allowMultipleVotes: false,
      deadlineAt: null,
      hideParticipants: true,
      numberOfWinners: 1,
      resultsVisibility: 'after-voting',
      options: [
        { id: optionId, position: 1, body: 'This' },
        { id: newId(), position: 2, body: 'That' },
      ],
    });
    return activityId;
  });
  return { id, optionId };
}

export async function makeVote(test: TestApp, { optionId }: MadePoll, voter: Person): Promise<string> {
  return (await castVote(test.ctx.db, { id: newId(), optionId, userId: voter.id, detail: {} })).id;
}

/** Posts and polls alike. */
export async function removePost(test: TestApp, place: Place, id: string): Promise<void> {
  await inTransaction(test.ctx.db, async (trx) => {
    const activity = await lockActivity(trx, place, { activityId: id });
    if (!activity) throw new Error('there is no such post');
    await deleteActivity(trx, activity, activity.authorId);
  });
}

export async function makeReaction(
  test: TestApp,
  place: Place,
  activityId: string,
  author: Person,
  kind: 'like' | 'reply' = 'reply',
): Promise<string> {
  const said = kind === 'reply' ? WORDS : { body: null, bodyHtml: null };
  const { id } = await addReaction(
    test.ctx.db,
    place,
    { activityId },
    { ...said, kind, userId: author.id, locale: 'en' },
  );
  if (id === null) throw new Error('the reaction was not added');
  return id;
}

// Content.

async function makeProduct(test: TestApp, contentType: string, slug: string, scopes: Scopes): Promise<string> {
  const id = `${contentType}-${slug}`;
  await makeEntry(test, contentType, slug, id);
  await test.ctx.db
    .insertInto('products')
    .values({
      entry_id: id,
      content_type: contentType,
      can_view: scopes.canView ?? 'public',
      can_join: scopes.canJoin ?? scopes.canView ?? 'authenticated',
    })
    .execute();
  return id;
}

/** An entry that is not a product. */
export async function makeEntry(test: TestApp, contentType: string, slug: string, id = slug): Promise<string> {
  await test.ctx.db
    .insertInto('entries')
    .values({ id, content_type: contentType, source: 'folder', slug: JSON.stringify({ en: slug }) })
    .execute();
  return id;
}

export async function makeUpload(test: TestApp, cohortId: string): Promise<string> {
  const id = newId();
  await test.ctx.db
    .insertInto('cohort_uploads')
    .values({ id, cohort_id: cohortId, slug: 'a-label', locale: 'en' })
    .execute();
  return id;
}

export async function makeCohortMember(test: TestApp, cohortId: string): Promise<string> {
  const person = await makePerson(test);
  await putInCohort(test, cohortId, person);
  return person.id;
}

/** An invitation mailed three days ago. */
export async function makeInvitation(test: TestApp, cohortId: string): Promise<string> {
  const id = newId();
  const created_at = new Date(Date.now() - 3 * 86_400_000);
  const row = { id, cohort_id: cohortId, email: freshEmail(), created_at };
  await test.ctx.db.insertInto('cohort_invitations').values(row).execute();
  return id;
}

/** An uploaded file with one address. */
export async function makeDraft(test: TestApp, cohortId: string, { id: userId }: { id: string }): Promise<string> {
  const id = newId();
  const email = freshEmail();
  await test.ctx.db
    .insertInto('cohort_drafts')
    .values({
      id,
      cohort_id: cohortId,
      user_id: userId,
      name: 'people.csv',
      content: Buffer.from(email),
      columns: JSON.stringify([{ label: '', addresses: 1 }]),
      chosen: 0,
      line_count: 1,
      emails: [email],
      wrong: '[]',
      wrong_count: 0,
      repeated: 0,
      fresh: 1,
      already: 0,
      inactive: 0,
    })
    .execute();
  return id;
}

/** Adds an academy to the products of a cohort. Returns its entry id. */
export async function makeCohortProduct(test: TestApp, cohortId: string): Promise<string> {
  const entryId = `academy-${await makeAcademy(test)}`;
  const product = { cohort_id: cohortId, entry_id: entryId, position: 1 };
  await test.ctx.db.insertInto('cohort_products').values(product).execute();
  return entryId;
}

/** Adds a journey to the products of a cohort. Returns its key. */
export async function makeCohortJourney(test: TestApp, cohortId: string): Promise<string> {
  const { journey } = await makeCourse(test);
  const product = { cohort_id: cohortId, entry_id: journey.entryId, position: 1 };
  await test.ctx.db.insertInto('cohort_products').values(product).execute();
  return journey.key;
}

const TITLE = JSON.stringify({ en: 'A title' });

/** Returns the slug; the entry is `academy-<slug>`. */
export async function makeAcademy(test: TestApp, scopes: Scopes = {}): Promise<string> {
  const slug = fresh('academy');
  const id = await makeProduct(test, 'academy', slug, scopes);
  await test.ctx.db.insertInto('academies').values({ id, slug, title: TITLE }).execute();
  return slug;
}

/** Returns the slug; the entry is `microcourse-<slug>`. */
export async function makeMicrocourse(test: TestApp, scopes: Scopes = {}): Promise<string> {
  const slug = fresh('microcourse');
  const id = await makeProduct(test, 'microcourse', slug, scopes);
  const { db } = test.ctx;
  await db.insertInto('microcourses').values({ id, slug, title: TITLE }).execute();
  await db
    .insertInto('bodies')
    .values({ microcourse_id: id, locale: 'en', source: 'Text', html: '<p>Text</p>' })
    .execute();
  return slug;
}

/** Returns the slug; the entry is `learningHub-<slug>`. */
export async function makeHub(test: TestApp, scopes: Scopes = {}): Promise<string> {
  const slug = fresh('hub');
  const id = await makeProduct(test, 'learningHub', slug, scopes);
  await test.ctx.db.insertInto('editorials').values({ id, kind: 'hub', slug, title: TITLE }).execute();
  return slug;
}

/** Creates an event with one session in the future; the entry is `event-<slug>`. */
export async function makeEvent(test: TestApp, scopes: Scopes = {}): Promise<{ slug: string; session: string }> {
  const slug = fresh('event');
  const id = await makeProduct(test, 'event', slug, scopes);
  const { db } = test.ctx;
  await db.insertInto('editorials').values({ id, kind: 'event', slug, title: TITLE }).execute();
  const [starts, ends] = ['2030-01-01T09:00', '2030-01-01T10:00'];
  await db.insertInto('events').values({ id, starts, ends, time_zone: 'UTC' }).execute();
  const session = newId();
  const times = { starts_at: `${starts}Z`, ends_at: `${ends}Z` };
  await db
    .insertInto('event_sessions')
    .values({ id: session, event_id: id, ...times })
    .execute();
  return { slug, session };
}

/** Gives a person a seat and returns the session. */
export async function giveSeat(test: TestApp, session: string, person: Person): Promise<string> {
  const values = { session_id: session, user_id: person.id, status: 'seat' };
  await test.ctx.db
    .insertInto('event_registrations')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return session;
}

/** Returns the slug. */
export async function makeArticle(test: TestApp, author: Person): Promise<string> {
  const slug = fresh('article');
  await test.ctx.db
    .insertInto('articles')
    .values({
      id: newId(),
      author_id: author.id,
      slug,
      title: 'A title of enough letters',
      subtitle: 'A subtitle of enough letters',
      seo_title: 'A title',
      seo_description: 'A subtitle',
      body: 'What there is to say.',
      body_html: '<p>What there is to say.</p>',
    })
    .execute();
  return slug;
}

/** A new article as reports name it. */
export async function makeReportable(test: TestApp, author: Person): Promise<{ kind: 'article'; id: string }> {
  const slug = await makeArticle(test, author);
  const { id } = await test.ctx.db
    .selectFrom('articles')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  return { kind: 'article', id };
}

/** An article that its author has deleted; returns the slug. */
export async function makeDeletedArticle(test: TestApp, author: Person): Promise<string> {
  const slug = await makeArticle(test, author);
  const deleted = { withdrawn_at: new Date(), withdrawn_by: author.id };
  await test.ctx.db.updateTable('articles').set(deleted).where('slug', '=', slug).execute();
  return slug;
}

// Personal records.

/** Returns the public id. */
export async function makePayment(test: TestApp, person: Person, journey: { key: string }): Promise<string> {
  const id = newId();
  const price = { amount: 4900, currency: 'EUR' };
  await test.ctx.db
    .insertInto('payments')
    .values({
      id,
      user_id: person.id,
      journey_key: journey.key,
      title: 'A journey',
      locale: 'en',
      state: 'paid',
      ...price,
    })
    .execute();
  return id;
}

export async function makeCertificate(test: TestApp, person: Person, journey: { key: string }): Promise<string> {
  const publicId = newId().replaceAll('-', '');
  const { position } = await test.ctx.db
    .insertInto('credential_statuses')
    .defaultValues()
    .returning('position')
    .executeTakeFirstOrThrow();
  await test.ctx.db
    .insertInto('certificates')
    .values({
      id: newId(),
      status_position: position,
      public_id: publicId,
      user_id: person.id,
      journey_key: journey.key,
      course_title: 'A course',
      journey_title: 'A journey',
      name_on_certificate: 'A name',
      lessons: 3,
      minutes: 30,
    })
    .execute();
  return publicId;
}

/** A conversation with the assistant. */
export async function makeThread(test: TestApp, person: Person, lesson: { key: string }): Promise<string> {
  const id = newId();
  await test.ctx.db
    .insertInto('ai_threads')
    .values({ id, user_id: person.id, lesson_key: lesson.key, title: 'A question' })
    .execute();
  return id;
}

/** A job analysis thread. */
export async function makeJobThread(test: TestApp, person: Person): Promise<string> {
  const job = { jobTitle: 'Clerk', organization: null, tasks: ['Write letters'] };
  const thread = { userId: person.id, jobTitle: newId(), title: 'Clerk', job };
  return (await openJobThread(test.ctx.db, thread)).id;
}

/** A post that another person reported. */
export async function makeReported(test: TestApp, place: { communityId: string }, author: Person): Promise<string> {
  const id = await makePost(test, place, author);
  const { id: reporter } = await makePerson(test);
  const report = { communityId: place.communityId, activityId: id, id, kind: 'activity', userId: reporter } as const;
  await putReport(test.ctx.db, { ...report, reason: 'spam', note: null });
  return id;
}

/** Removes content by a moderator outside the fixture. Returns the decision's id. */
export async function makeDecision(
  test: TestApp,
  place: { communityId: string } | { lessonKey: string },
  author: Person,
  isAppealed = false,
): Promise<string> {
  const activityId = await makePost(test, place, author);
  const { id: deletedBy } = await makePerson(test);
  await sql`update activities set deleted_at = now(), deleted_by = ${deletedBy} where id = ${activityId}`.execute(
    test.ctx.db,
  );
  const { id } = await test.ctx.db
    .updateTable('moderation_decisions')
    .set(isAppealed ? { appealed_at: new Date(), appeal_text: 'Why?' } : { reason: 'spam' })
    .where('object_id', '=', activityId)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A notification of having been admitted to a community. */
export async function makeNotification(test: TestApp, person: Person): Promise<string> {
  const community = await makeCommunity(test.ctx.db);
  const id = newId();
  await makeMember(test.ctx.db, community, person);
  await test.ctx.db.deleteFrom('notifications').where('user_id', '=', person.id).execute();
  await test.ctx.db
    .insertInto('notifications')
    .values({ id, user_id: person.id, event: 'community_membership', object_id: community.id })
    .execute();
  return id;
}

/** A pending connection request. */
export async function makeConnection(test: TestApp, subject_: Person, asked: Person): Promise<string> {
  const id = newId();
  await sql`
    insert into connections (id, low_id, high_id, asker_id)
    values (${id}, least(${subject_.id}::uuid, ${asked.id}), greatest(${subject_.id}::uuid, ${asked.id}), ${subject_.id})`.execute(
    test.ctx.db,
  );
  return id;
}

/** A data export, ready for download. */
export async function makeExport(test: TestApp, person: Person): Promise<string> {
  const id = newId();
  const file = Buffer.from('A file');
  await test.ctx.files.put(exportKey(id), file, 'application/zip');
  await test.ctx.db
    .insertInto('data_exports')
    .values({ id, user_id: person.id, locale: 'en', status: 'ready', bytes: file.length, ready_at: new Date() })
    .execute();
  return id;
}

/** An export of everything, ready for download. */
export async function makeWholeExport(test: TestApp, person: Person): Promise<string> {
  const id = newId();
  const file = Buffer.from('A file');
  await test.ctx.files.put(wholeExportKey(id), file, 'application/zip');
  await test.ctx.db
    .insertInto('whole_exports')
    .values({ id, user_id: person.id, status: 'ready', bytes: file.length })
    .execute();
  return id;
}

/** Opens one more session and returns its public id. */
export async function makeSession(test: TestApp, person: Person): Promise<string> {
  const { db } = test.ctx;
  await openSession(db, { userId: person.id });
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', person.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

export async function makePushDevice(test: TestApp, person: Person): Promise<string> {
  const { endpoint, keys } = pushSubscription();
  const { id } = await test.ctx.db
    .insertInto('push_devices')
    .values({
      id: newId(),
      user_id: person.id,
      endpoint,
      public_key: Buffer.from(keys.p256dh, 'base64url'),
      auth_secret: Buffer.from(keys.auth, 'base64url'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

// Records of the administration.

export async function makeRule(test: TestApp): Promise<string> {
  const id = newId();
  await test.ctx.db
    .insertInto('auto_approvals')
    .values({ id, type: 'domain', value: `${fresh('ministry')}.example` })
    .execute();
  return id;
}

export async function makeBulkEnrolment(test: TestApp, course: { slug: string }): Promise<string> {
  const id = newId();
  await test.ctx.db
    .insertInto('bulk_enrolments')
    .values({ id, email: freshEmail(), type: 'courses', slug: course.slug })
    .execute();
  return id;
}

/** The id of a membership record. */
export async function membershipOf(test: TestApp, community: { id: string }, person: Person): Promise<string> {
  const { id } = await test.ctx.db
    .selectFrom('community_members')
    .select('id')
    .where('community_id', '=', community.id)
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow();
  return id;
}

/** Withdraws an entry, which hides its content. */
export async function withdrawEntry(test: TestApp, id: string): Promise<void> {
  await test.ctx.db.updateTable('entries').set({ status: 'withdrawn' }).where('id', '=', id).execute();
}

/** A failed job, with the arguments of `retryJobs`. */
export async function makeFailedJob(test: TestApp): Promise<{ queue: string; id: string }> {
  const id = newId();
  const queue = 'platform.remove-files';
  await sql`
    insert into jobs.job (id, name, data, source_name, source_id, source_created_on, source_retry_count, source_output)
    values (${id}, 'platform.dead-letters', '{"keys": []}', ${queue}, ${newId()}, now() - interval '1 hour', 20,
      '{"reason": "EACCES"}')`.execute(test.ctx.db);
  return { queue, id };
}

export async function makeFailedMail(test: TestApp, recipient = freshEmail()): Promise<string> {
  const id = newId();
  await sql`
    insert into mails (id, recipient, kind, locale, subject, body_text, body_html, status, attempts, last_error)
    values (${id}, ${recipient}, 'sign_up_code', 'en', 'Subject', 'Text', 'Text', 'failed', 1,
      ${`Recipient rejected: 550 5.1.1 <${recipient}> no such mailbox`})`.execute(test.ctx.db);
  return id;
}

/** An uploaded and checked content folder. */
export async function makeContentImport(test: TestApp): Promise<string> {
  const id = newId();
  const zip = makeZip([{ name: 'content.yaml', content: 'format: 1\n' }]);
  await test.ctx.files.put(zipKey(id), zip, 'application/zip');
  await test.ctx.db
    .insertInto('content_imports')
    .values({ id, name: 'content.zip', bytes: zip.length, files: 1, state: 'checked' })
    .execute();
  return id;
}

/** A course draft that was never published. */
export async function makeBegunPiece(
  test: TestApp,
): Promise<{ params: { kind: 'course'; key: string }; body: { version: number } }> {
  const key = fresh('begun');
  const draft = { kind: 'course', slug: key, type: 'Private', title: { en: 'Begun' }, summary: {}, cover: null };
  await test.ctx.db
    .insertInto('entries')
    .values({ id: key, content_type: 'course', status: 'draft', source: 'authoring' })
    .execute();
  await test.ctx.db
    .insertInto('content_pieces')
    .values({
      kind: 'course',
      key,
      entry_id: key,
      draft: JSON.stringify({ ...draft, coverAlt: {}, humanTranslation: true, images: [], bodyFiles: {} }),
    })
    .execute();
  return { params: { kind: 'course', key }, body: { version: 1 } };
}

/** A draft journey of a published course. */
export async function makeBegunJourney(
  test: TestApp,
): Promise<{ params: { kind: 'journey'; key: string }; body: { version: number } }> {
  const [course, key] = [await makeCourse(test), newId()];
  const entryId = await makeEntry(test, 'courseJourney', fresh('begun'));
  const draft = { kind: 'journey', slug: entryId, title: { en: 'Begun' }, description: {}, privacy: 'closed-private' };
  await test.ctx.db
    .insertInto('content_pieces')
    .values({
      kind: 'journey',
      key,
      entry_id: entryId,
      parent: course.id,
      draft: JSON.stringify({ ...draft, price: null, sections: [], images: [], bodyFiles: {} }),
    })
    .execute();
  return { params: { kind: 'journey', key }, body: { version: 1 } };
}

export async function entryOfCommunity(test: TestApp, slug: string): Promise<string> {
  const { db } = test.ctx;
  return (await db.selectFrom('communities').select('entry_id').where('slug', '=', slug).executeTakeFirstOrThrow())
    .entry_id;
}

/** An address whose account will become an owner of the community. */
export async function makeOwnerClaim(test: TestApp, entryId: string): Promise<string> {
  const email = freshEmail();
  const { db } = test.ctx;
  const { id } = await db
    .selectFrom('communities')
    .select('id')
    .where('entry_id', '=', entryId)
    .executeTakeFirstOrThrow();
  await db.insertInto('community_owner_claims').values({ community_id: id, email, position: 0 }).execute();
  return email;
}

/** A role of the person in a new cohort. Returns the id of the assignment. */
export async function makeAssignment(test: TestApp, userId: string): Promise<string> {
  const id = newId();
  await test.ctx.db
    .insertInto('role_assignments')
    .values({ id, user_id: userId, role: 'report-reader', kind: 'cohort', cohort_id: await makeCohort(test) })
    .execute();
  return id;
}
