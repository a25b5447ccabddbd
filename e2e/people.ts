import { makeZip, zipForm } from '../server/test/factories/zips.ts';

import type { APIRequestContext, BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import { currentProduct } from './demo.ts';
import { SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import type { Found, Person } from './screens.ts';
import { visit, visitAs, type Visit } from './visitor.ts';

const ACCOUNTS = { member: 'learner', moderator: 'moderator', administrator: 'admin' } as const;
type Session = Extract<BrowserContextOptions['storageState'], object>;
const sessions = new Map<string, Session>();

/** A browser context of one of the people of screens.ts. Each signs in once per product. */
export async function visitOf(person: Person, options: BrowserContextOptions = {}): Promise<Visit> {
  if (person === 'visitor') return await visit(options);
  const key = `${person} at ${(await currentProduct()).url}`;
  const known = sessions.get(key);
  if (known) return await visit({ ...options, storageState: known });
  const visitor =
    person === 'newcomer' ? await visitAsNewcomer('Noor Visser', options) : await visitAs(ACCOUNTS[person], options);
  sessions.set(key, await visitor.context.storageState());
  return visitor;
}

const screensAt = new Map<string, Promise<Found>>();

/** The paths that screens.ts refers to, from the demo content and created here; looked up once per product. */
export async function findScreens(given?: string): Promise<Found> {
  const baseURL = given ?? (await currentProduct()).url;
  const found = screensAt.get(baseURL) ?? lookUpScreens(baseURL);
  screensAt.set(baseURL, found);
  return await found;
}

async function lookUpScreens(baseURL: string): Promise<Found> {
  const { context } = await visitAs('learner', { baseURL });
  const get = async (path: string) => await (await context.request.get(path)).json();
  const feed = await get('/api/community/communities/plain-words/activities?limit=100');
  const thread = feed.results.find((one: { reaction_counts: { reply: number } }) => one.reaction_counts.reply > 2);
  const poll = feed.results.find((one: { verb: string }) => one.verb === 'poll');
  const { articles } = await get('/api/content/articles?limit=100');
  // The moderator's: the edit page needs its author.
  const own = articles.find((one: { slug: string }) => one.slug.startsWith('five-sundays'));
  const { journeys } = await get('/api/learner/me/learning');
  const certified = journeys.find((one: { certificate: object | null }) => one.certificate);
  const analysis = await analyse(context.request);
  const contribution = await contribute(context.request);
  await context.close();
  const admin = await visitAs('admin', { baseURL });
  const rules = await admin.context.request.get('/api/people/auto-approvals?value=example.gov');
  const [rule] = (await rules.json()).autoApprovals;
  const attempts = await attemptAssessment(admin.context.request);
  const notice = await makeEndedNotice(admin.context.request);
  const found = await admin.context.request.get('/api/content/authoring?kind=journey&q=reading-a-budget');
  const [{ key }] = (await found.json()).pieces;
  await admin.context.close();
  return {
    ...(await findCohort(baseURL)),
    thread: `/communities/plain-words/activities/${thread.id}`,
    poll: `/communities/plain-words/activities/${poll.id}`,
    person: `/people/${thread.actor.id}`,
    accountOfOther: `/admin/people/${thread.actor.id}`,
    erasing: `/admin/people/${thread.actor.id}/erase`,
    appointing: `/admin/people/${thread.actor.id}/administrator`,
    article: `/articles/${articles[0].slug}`,
    edit: `/articles/${own.slug}/edit`,
    share: `/articles/${own.slug}/share`,
    shareContribution: `/courses/plain-language/write-to-be-understood/who-is-reading/share/${contribution}`,
    ...attempts,
    evaluationResults: `/admin/content/journey/${key}/evaluation`,
    certificate: new URL(certified.certificate.verificationUrl).pathname,
    analysis: `/tasks/${analysis}`,
    rule: `/admin/approval/${rule.id}`,
    notice: `/admin/site/notices/${notice}`,
  };
}

/** A content folder with one new course and one warning. */
const CONTENT = `format: 1
courses: [{slug: brought, title: {en: Brought in}, cover: images/none.png, journeys: []}]
microcourses: [{slug: brief, title: {en: Brief}, body: {en: a.md}}]
`;

/** A contribution of the learner to a lesson. */
async function contribute(request: APIRequestContext): Promise<string> {
  const lesson = 'courses/plain-language/journeys/write-to-be-understood/lessons/who-is-reading';
  const data = { body: { en: 'I write to people who wait' } };
  const reply = await request.post(`/api/community/${lesson}/activities`, { data, headers: SAME_SITE });
  return (await reply.json()).activityId;
}

/** A submitted and an open attempt at the assessment of the demo, and the page of its questions. */
async function attemptAssessment(
  request: APIRequestContext,
): Promise<Pick<Found, 'attempt' | 'attemptResult' | 'questions' | 'statistics'>> {
  const post = async (path: string, data = {}) =>
    await (await request.post(`/api/learner/${path}`, { data, headers: SAME_SITE })).json();
  await post('learners/me/journeys', { courseSlug: 'responsible-ai', journeySlug: 'foundations' });
  const attempts = 'me/courses/responsible-ai/journeys/foundations/lessons/check-what-you-know/attempts';
  const page = '/courses/responsible-ai/foundations/check-what-you-know/attempts';
  const { id: submitted } = await post(attempts);
  await post(`${attempts}/${submitted}/submission`);
  const { id: open } = await post(attempts);
  const { pieces } = await (await request.get('/api/content/authoring?kind=lesson&q=check-what-you-know')).json();
  const piece = `/admin/content/lesson/${pieces[0].key}`;
  return {
    attempt: `${page}/${open}`,
    attemptResult: `${page}/${submitted}`,
    questions: `${piece}/questions`,
    statistics: `${piece}/statistics`,
  };
}

/** A notice that no page shows any more. */
async function makeEndedNotice(request: APIRequestContext): Promise<string> {
  const times = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-01-02T00:00:00.000Z' };
  const data = { level: 'warning', audience: 'everyone', texts: { en: 'Closed for the holiday.' }, ...times };
  const reply = await request.post('/api/admin/site/notices', { data, headers: SAME_SITE });
  return (await reply.json()).id;
}

/** A job analysis of the learner. A new product loads the task statements within seconds of its start. */
async function analyse(request: APIRequestContext): Promise<string> {
  const data = {
    jobTitle: 'Correspondence officer',
    tasks: [
      'Write letters to answer questions from the public',
      'Attend meetings and record the minutes',
      'Hum a tune',
    ],
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await request.post('/api/ai/futura/me/risk-analysis', { data, headers: SAME_SITE });
    if (reply.ok()) return (await reply.json()).threadId;
    expect(reply.status(), await reply.text()).toBe(503);
    await new Promise((later) => setTimeout(later, 200));
  }
  throw new Error('the task statements were not loaded');
}

const LIST = '--line\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\n\r\n';

/** A cohort of the administrator with one of everything. */
async function findCohort(baseURL: string): Promise<Pick<Found, 'cohort' | 'contentImport' | 'draft' | 'upload'>> {
  const { context } = await visitAs('admin', { baseURL });
  const send = async (method: string, path: string, data: object | string | Buffer, type = 'application/json') => {
    const headers = { ...SAME_SITE, 'content-type': type };
    const reply = await context.request.fetch(`/api/${path}`, { method, data, headers });
    expect(reply.ok(), `${path}: ${reply.status()}`).toBe(true);
    return reply.status() === 204 ? {} : await reply.json();
  };
  const made = { name: 'Spring school', type: 'LEARNERS', primaryPartner: 'City of Example' };
  const { id } = await send('POST', 'admin/cohorts', made);
  const products = await context.request.get('/api/admin/products?contentType=courseJourney&match=');
  const [product] = (await products.json()).products;
  await send('PUT', `admin/cohorts/${id}/products/${encodeURIComponent(product.id)}`, { dueOn: '2030-06-30' });
  const emails = ['learner@example.gov', `invited-${id.slice(-8)}@example.gov`];
  const { uploadId } = await send('POST', `admin/cohorts/${id}/uploads`, { slug: 'spring-list', emails });
  const file = `${LIST}E-mail,Team\r\nwaiting@example.gov,a\r\nno address,b\r\n--line--\r\n`;
  const draft = await send('POST', `admin/cohorts/${id}/drafts`, file, 'multipart/form-data; boundary=line');
  const folder = zipForm(
    makeZip([
      { name: 'content.yaml', content: CONTENT },
      { name: 'a.md', content: 'Words.\n' },
    ]),
  );
  const sent = await send('POST', 'content/folder/imports', folder.payload, folder.headers['content-type']);
  await context.close();
  const cohort = `/admin/cohorts/${id}`;
  return {
    cohort,
    contentImport: `/admin/content/folder/${sent.id}`,
    draft: `${cohort}/uploads/check/${draft.id}`,
    upload: `${cohort}/uploads/${uploadId}`,
  };
}
