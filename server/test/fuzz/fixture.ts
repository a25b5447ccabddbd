import * as account from '@officium/contract/account';
import * as admin from '@officium/contract/admin';
import * as ai from '@officium/contract/ai';
import * as content from '@officium/contract/content';
import type { Endpoint } from '@officium/contract/endpoint';
import * as enrolment from '@officium/contract/enrolment';
import * as jobTasks from '@officium/contract/job-tasks';
import * as learner from '@officium/contract/learner';
import * as lessonDiscussions from '@officium/contract/lesson-discussions';
import * as people from '@officium/contract/people';
import * as peopleRecords from '@officium/contract/people-records';
import * as polls from '@officium/contract/polls';
import { ensurePushKeys } from '#server/areas/notifications/push.service.ts';
import { loadJobTasks } from '#server/areas/ai/job-task-load.service.ts';
import { issueCode, issueSecret } from '#server/areas/auth/challenge.service.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { type As, type Sent, SERVICE_KEY, type TestApp, WEBHOOK_KEY } from '../app.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeCohort, putInCohort } from '../factories/cohorts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '../factories/communities.ts';
import { CONTENT_YAML, makeContentFolder } from '../factories/content.ts';
import { completeLessons, enrol, makeCourse } from '../factories/courses.ts';

/** Kinds of objects that requests refer to. The first objects of all kinds belong together. */
export const KINDS = [
  'academy',
  'activity',
  'article',
  'autoApproval',
  'bulkEnrolment',
  'category',
  'certificate',
  'code',
  'cohort',
  'community',
  'connection',
  'course',
  'courseId',
  'discussion',
  'discussionReply',
  'editorial',
  'email',
  'encodedUrl',
  'entry',
  'eventSession',
  'jobAnalysis',
  'journey',
  'journeyId',
  'lesson',
  'lessonId',
  'microcourse',
  'option',
  'password',
  'payload',
  'poll',
  'product',
  'reaction',
  'secret',
  'session',
  'thread',
  'upload',
  'url',
  'user',
  'userCommunity',
  'vote',
] as const;
export type Kind = (typeof KINDS)[number];

export const CALLERS = [
  'anonymous',
  'member',
  'owner',
  'moderator',
  'newcomer',
  'inactive',
  'unproven',
  'administrator',
  'service',
  'webhook',
] as const;
export type Caller = (typeof CALLERS)[number];

export type Fixture = { headers: Record<Caller, Record<string, string>>; known: Record<Kind, string[]> };

const PASSWORD = 'correct horse battery';

const HUB = `hubs:
  - slug: start-here
    title: {en: Start here}
    scopes: {can_view: public, can_join: authenticated}
    items: [microcourses/en/letters, communities/writers]
events:
  - slug: writers-hour
    title: {en: Writers' hour}
    about: {en: Bring a letter.}
    starts: 2030-05-14T09:30
    ends: 2030-05-14T11:00
    recurrence: FREQ=WEEKLY;COUNT=3
    capacity: 1
    scopes: {can_view: public, can_join: authenticated}
`;

/** Imports an academy, a microcourse, a hub, two courses and two communities. */
async function importContent(test: TestApp): Promise<void> {
  const { faults } = await importPath(test.ctx, await makeContentFolder({ 'content.yaml': `${CONTENT_YAML}${HUB}` }));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** Calls that must succeed, because an incomplete fixture proves nothing. */
function callsOf(test: TestApp) {
  return async (endpoint: Endpoint, as: As, sent: Sent): Promise<any> => {
    // any: bodies of many operations
    const { status, body } = await test.call(endpoint, as, sent);
    if (status >= 300)
      throw new Error(`${endpoint.name} while creating the fixture: ${status} ${JSON.stringify(body)}`);
    return body;
  };
}

async function makePeople(test: TestApp) {
  const person = (name: string, given: Parameters<typeof makePerson>[1] = {}) => makePerson(test, { name, ...given });
  const made = {
    member: await person('Mem Ber', { locale: 'fr', password: PASSWORD }),
    owner: await person('Ow Ner', { visibility: 'public' }),
    moderator: await person('Mode Rator'),
    newcomer: await person('New Comer', { role: 'non-public-servant', visibility: 'private' }),
    inactive: await person('In Active', { role: 'inactive' }),
    unproven: await person('Un Proven', { isProven: false }),
    administrator: await person('Ad Ministrator', { role: 'administrator' }),
  };
  return made;
}
type People = Awaited<ReturnType<typeof makePeople>>;

async function makeTalk(test: TestApp, { member, owner, moderator, newcomer }: People) {
  const { db } = test.ctx;
  const call = callsOf(test);
  const open = await makeCommunity(db, { categories: ['questions', 'ideas'] });
  const hidden = await makeCommunity(db, { privacy: 'closed-hidden', canView: 'private' });
  await makeMember(db, open, owner, { role: 'owner' });
  await makeMember(db, hidden, owner, { role: 'owner' });
  await makeMember(db, open, member);
  await makeMember(db, open, moderator, { level: 3 });
  await makeMember(db, hidden, newcomer, { status: 'pending' });
  const post = await makeActivity(db, open, member, { title: 'A post', body: `For {{${owner.id}}}` });
  const second = await makeActivity(db, open, owner, { categories: ['ideas'] });
  const secret = await makeActivity(db, hidden, owner);
  const reply = await makeReaction(db, open, { activityId: post }, member);
  const child = await makeReaction(db, open, { reactionId: reply }, owner);
  const like = await makeReaction(db, open, { activityId: post }, owner, { kind: 'like' });
  const options = [1, 2, 3].map((position) => ({ position, body: `Option ${position}` }));
  const poll = await call(polls.createCommunityPoll, member.as, {
    params: { slug: open.slug },
    body: { title: 'A poll', options },
  });
  const profilePoll = await call(polls.createPoll, member.as, { body: { title: 'Mine', options } });
  const vote = await call(polls.castVote, member.as, { params: { id: poll.optionIds[0] }, body: {} });
  const { rows } = await test.ctx.pool.query(
    'select id from community_members where community_id = $1 order by user_id = $2 desc',
    [open.id, member.id],
  );
  return {
    community: [open.slug, hidden.slug, 'writers', 'quiet'],
    category: ['questions', 'ideas'],
    activity: [post, second, poll.id, secret],
    reaction: [reply, child, like],
    poll: [poll.id, profilePoll.id],
    option: [...poll.optionIds, ...profilePoll.optionIds],
    vote: [vote.id],
    userCommunity: rows.map((row) => String(row.id)),
    communityEntries: [open.entryId, hidden.entryId],
  };
}

async function makeLearning(test: TestApp, { member, owner, newcomer }: People) {
  const call = callsOf(test);
  const course = await makeCourse(test);
  const closed = await makeCourse(test, { journeys: [{ privacy: 'closed-private' }] });
  const { journey } = course;
  await enrol(test, member, journey);
  await enrol(test, owner, journey);
  await enrol(test, newcomer, journey, { expiresOn: new Date(Date.now() - 1000) });
  await completeLessons(test, owner, journey.lessons);
  const certificate = await call(learner.issueMyCertificate, owner.as, {
    params: { courseSlug: course.slug, journeySlug: journey.slug },
    body: {},
  });
  const place = { courseId: course.id, journeyId: journey.id, lessonId: journey.lessons[0]!.id }; // makeCourse made four
  const discussion = await call(lessonDiscussions.createLessonActivity, member.as, {
    params: place,
    body: { body: { en: 'What do you think?' } },
  });
  const reply = await call(lessonDiscussions.createLessonReaction, member.as, {
    params: { ...place, activityId: discussion.activityId },
    body: { kind: 'reply', body: 'This' },
  });
  const lessons = journey.lessons;
  const thread = await call(ai.askLesson, member.as, {
    body: { query: 'text', courseSlug: course.slug, journeySlug: journey.slug, lessonSlug: lessons[0]!.slug },
  });
  const job = await call(jobTasks.analyseJob, member.as, { body: { jobTitle: 'Clerk', tasks: ['Write letters'] } });
  return {
    course: [course.slug, closed.slug, 'letters', 'hidden'],
    courseId: [course.id, closed.id],
    journey: [journey.slug, 'basics'],
    journeyId: [journey.id],
    lesson: [...lessons.map(({ slug }) => slug), 'first'],
    lessonId: lessons.map(({ id }) => id),
    discussion: [discussion.activityId],
    discussionReply: [reply.id],
    thread: [thread.threadId],
    jobAnalysis: [job.threadId],
    certificate: [/[^/]+$/.exec(new URL(certificate.certificate.verificationUrl).pathname)![0]], // a path has a last segment
    courseEntries: [course.id, journey.entryId, closed.id],
  };
}

async function makeRecords(test: TestApp, made: People, places: { course: string[]; community: string[] }) {
  const { member, owner, moderator, administrator } = made;
  const call = callsOf(test);
  const cohort = await makeCohort(test, { products: [] });
  await putInCohort(test, cohort, member);
  const article = await call(content.createArticle, member.as, {
    body: { title: 'A long enough title', subtitle: 'A long enough subtitle', body: 'A long enough body' },
  });
  const rule = await call(people.createAutoApproval, administrator.as, {
    body: { type: 'domain', value: `d${member.id}.gov` },
  });
  const record = await call(peopleRecords.createBulkEnrolment, administrator.as, {
    body: { email: `later-${member.id}@example.gov`, type: 'courses', slug: places.course[0] },
  });
  const upload = await call(admin.createUpload, administrator.as, {
    params: { id: cohort },
    body: { slug: 'first', emails: [`upload-${member.id}@example.gov`] },
  });
  const asked = await call(account.askToConnect, member.as, { body: { peerId: owner.id } });
  const met = await call(account.askToConnect, moderator.as, { body: { peerId: member.id } });
  await call(enrolment.referColleague, member.as, {
    body: { email: `friend-${member.id}@example.gov`, type: 'communities', slug: places.community[0] },
  });
  return {
    article: [article.slug],
    autoApproval: [rule.id],
    bulkEnrolment: [record.id],
    upload: [upload.uploadId],
    cohort: [cohort, await makeCohort(test)],
    connection: [owner.id, moderator.id, asked.id, met.id],
  };
}

const headersOf = (as: As): Record<string, string> =>
  as.serviceKey
    ? { authorization: `Bearer ${as.serviceKey}` }
    : { cookie: `session=${as.token}`, 'sec-fetch-site': 'same-origin' };

async function secretsOf(test: TestApp, { member, unproven }: People) {
  const { db } = test.ctx;
  const kinds = ['session-token', 'login-link', 'password-reset', 'onboarding'] as const;
  const secrets: string[] = [];
  const detail = { exp: null, permissions: null }; // detail of a minted session; the others have none
  for (const kind of kinds) secrets.push(await issueSecret(db, { kind, userId: member.id, detail }));
  secrets.push(
    await issueSecret(db, {
      kind: 'email-change',
      userId: member.id,
      detail: { email: `new-${member.id}@example.gov` },
    }),
  );
  const code = await issueCode(db, unproven.id);
  await test.ctx.pool.query(`update challenges set expires_at = 'infinity'`);
  return { secret: secrets, code: [code, '123456'] };
}

async function sessionsOf(test: TestApp, { member }: People): Promise<string[]> {
  const { rows } = await test.ctx.pool.query('select id from sessions where user_id = $1', [member.id]);
  return rows.map((row) => String(row.id));
}

async function eventSessionsOf(test: TestApp): Promise<string[]> {
  const { rows } = await test.ctx.pool.query('select id from event_sessions order by starts_at');
  return rows.map((row) => String(row.id));
}

/** Creates people, their content and the headers of each caller. */
export async function makeFixture(test: TestApp): Promise<Fixture> {
  await importContent(test);
  await loadJobTasks(test.ctx);
  const made = await makePeople(test);
  const talk = await makeTalk(test, made);
  const learning = await makeLearning(test, made);
  const records = await makeRecords(test, made, { ...talk, ...learning });
  await ensurePushKeys(test.ctx); // as the first start does
  await test.drain();
  const everybody: TestPerson[] = Object.values(made);
  const urls = [
    '/welcome',
    'http://localhost:3000/x',
    'https://example.org/',
    'http://127.0.0.1/',
    'https://[::1]/a?b#c',
  ];
  return {
    headers: {
      anonymous: {},
      service: headersOf({ serviceKey: SERVICE_KEY }),
      webhook: { 'x-webhook-key': WEBHOOK_KEY },
      ...(Object.fromEntries(Object.entries(made).map(([name, { as }]) => [name, headersOf(as)])) as Record<
        keyof People,
        Record<string, string>
      >), // same keys
    },
    known: {
      ...talk,
      ...learning,
      ...records,
      ...(await secretsOf(test, made)),
      academy: ['digital'],
      microcourse: ['letters'],
      editorial: ['start-here', 'writers-hour'],
      eventSession: await eventSessionsOf(test),
      email: everybody.map(({ email }) => email),
      user: everybody.map(({ id }) => id),
      session: await sessionsOf(test, made),
      password: [PASSWORD],
      payload: [...talk.activity, ...talk.reaction, ...learning.discussion, ...learning.discussionReply],
      entry: [...learning.courseEntries, ...talk.communityEntries, 'letters'],
      product: [...learning.courseEntries, ...talk.communityEntries],
      url: urls,
      encodedUrl: urls.map((url) => Buffer.from(url).toString('base64url')),
    },
  };
}
