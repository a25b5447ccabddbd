import { createServer } from 'node:http';
import { addressOf } from '@officium/contract/client';
import type { Endpoint } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { hashPassword } from '#server/areas/auth/password-hash.service.ts';
import { noteAnswer } from '../answers.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeCohort } from '../factories/cohorts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '../factories/communities.ts';
import { enrol, type GivenCourse, makeCourse, type TestCourse } from '../factories/courses.ts';
import { pixel } from '../factories/content.ts';
import { startIdentityProvider, type TestProvider } from '../identity-provider.ts';
import type { Context, Subject } from './subjects.ts';
import * as things from './things.ts';
import { makeZip, zipForm } from '../factories/zips.ts';
import { portOf } from '../process.ts';

/**
 * open: listed and readable by everyone · closed: the name is visible, the content is for members · hidden: not even
 * the name. A course is either open to everyone or hidden from all who are not enrolled.
 */
export type Place = 'open' | 'closed' | 'hidden';

/** The fixture that all cells share; no cell changes it. */
export type Fixture = {
  test: TestApp;
  communities: Record<Place, TestCommunity>;
  courses: Record<Place, TestCourse>;
  /** Another open community and course: a different parent than the one in the request. */
  elsewhere: { community: TestCommunity; course: TestCourse };
  /** Author of everything that is "another's": a member of every community, enrolled everywhere. */
  bystander: TestPerson;
  /** Owns every community, so that no other owner is the last one. */
  owner: TestPerson;
  cohortId: string;
  academy: string;
  microcourse: string;
  hub: string;
  event: { slug: string; session: string };
  /** The identity provider of the organisation. */
  provider: TestProvider;
  article: string;
  certificate: string;
  payment: string;
  /** The URL of a page that can be previewed. */
  page: string;
  /** The hash of PASSWORD, computed once because hashing is slow. */
  passwordHash: string;
};

export const PASSWORD = 'correct horse battery';

async function servePage(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  return `127.0.0.1:${portOf(server)}`;
}

const LESSONS = [{}, {}, {}, {}];
const ELSEWHERE: GivenCourse = {
  journeys: [{ sections: [{ lessons: [...LESSONS, { slug: 'lesson-of-another' }] }] }, { slug: 'another' }],
};

/** Has an additional hidden journey and a withdrawn one, and a withdrawn lesson after the four others. */
async function makeOpenCourse(test: TestApp): Promise<TestCourse> {
  const course = await makeCourse(test, {
    journeys: [
      { sections: [{ lessons: [...LESSONS, { slug: 'former-lesson' }] }] },
      { slug: 'secret', privacy: 'closed-private' },
      { slug: 'former' },
    ],
  });
  const { db } = test.ctx;
  const [, , former] = course.journeys;
  const withdrawn = { withdrawn_at: new Date() };
  await db.updateTable('journeys').set(withdrawn).where('key', '=', former!.key).execute(); // the third of three
  const lesson = course.journey.lessons.pop()!; // the last of five
  await db.updateTable('lessons').set(withdrawn).where('key', '=', lesson.key).execute();
  return course;
}

/** Gives each course, community, microcourse and hub the former slug `was-<slug>`. */
async function makeFormerSlugs({ ctx: { db } }: TestApp): Promise<void> {
  await sql`
    insert into former_slugs (kind, slug, key)
    select 'course', 'was-' || slug, id from courses
    union all select 'community', 'was-' || slug, id::text from communities
    union all select kind, 'was-' || slug, id from editorials
    union all select 'microcourse', 'was-' || slug, id from microcourses`.execute(db);
}

export async function makeFixture(): Promise<Fixture> {
  const host = await servePage();
  const provider = await startIdentityProvider();
  afterAll(() => provider.stop());
  const test = await createTestApp({ LINK_PREVIEW_ALLOW: host, ...provider.settings });
  const { db } = test.ctx;
  const [bystander, owner] = [await makePerson(test), await makePerson(test)];
  const communities = {
    open: await makeCommunity(db, { privacy: 'open-visible', canView: 'public', canJoin: 'authenticated' }),
    closed: await makeCommunity(db, { privacy: 'closed-visible', canView: 'public', canJoin: 'authenticated' }),
    hidden: await makeCommunity(db, { privacy: 'closed-hidden', canView: 'public', canJoin: 'authenticated' }),
  };
  const courses = {
    open: await makeOpenCourse(test),
    closed: await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] }),
    hidden: await makeCourse(test, { type: 'Private', journeys: [{ privacy: 'closed-private' }] }),
  };
  const elsewhere = { community: await makeCommunity(db), course: await makeCourse(test, ELSEWHERE) };
  for (const community of [...Object.values(communities), elsewhere.community]) {
    await makeMember(db, community, bystander);
    await makeMember(db, community, owner, { role: 'owner' });
  }
  for (const course of [...Object.values(courses), elsewhere.course]) await enrol(test, bystander, course.journey);
  const [academy, microcourse] = [await things.makeAcademy(test), await things.makeMicrocourse(test)];
  const hub = await things.makeHub(test);
  await makeFormerSlugs(test);
  return {
    test,
    provider,
    communities,
    courses,
    elsewhere,
    bystander,
    owner,
    cohortId: await makeCohort(test),
    academy,
    microcourse,
    hub,
    event: await things.makeEvent(test),
    article: await things.makeArticle(test, bystander),
    payment: await things.makePayment(test, bystander, courses.open.journey),
    certificate: await things.makeCertificate(test, bystander, courses.open.journey),
    page: `http://${host}/page`,
    passwordHash: await hashPassword(PASSWORD),
  };
}

/** The context of one cell of the table. */
export type Cell = Context & {
  fixture: Fixture;
  /**
   * The person whose session sends the request; for anonymous requests and machines an unrelated person. Fresh for each
   * cell that writes.
   */
  me: TestPerson;
};

export type Sent = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sends a picture as a multipart form instead of a body. */
  picture?: true;
  /** Sends a table with one address instead of a body. */
  table?: true;
  /** Sends a zipped content folder instead of a body. */
  zip?: true;
};
export type Answer = { status: number; text: string; headers: Record<string, unknown> };

const PICTURE = Buffer.concat([
  Buffer.from(
    '--line\r\ncontent-disposition: form-data; name="file"; filename="me.png"\r\ncontent-type: image/png\r\n\r\n',
  ),
  pixel(),
  Buffer.from('\r\n--line--\r\n'),
]);

const TABLE = Buffer.from(
  '--line\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\ncontent-type: text/csv\r\n\r\n' +
    'person@example.gov\r\n--line--\r\n',
);

const FOLDER = zipForm(makeZip([{ name: 'content.yaml', content: 'format: 1\n' }])).payload;

/** Sends a request as a subject and returns the raw response. */
export async function ask(
  test: TestApp,
  subject: Pick<Subject, 'as' | 'headers'>,
  endpoint: Endpoint,
  sent: Sent,
): Promise<Answer> {
  const { as } = subject;
  const form = sent.picture ? PICTURE : sent.table ? TABLE : sent.zip ? FOLDER : undefined;
  const payload = form ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
  const type = form ? 'multipart/form-data; boundary=line' : 'application/json';
  const url = addressOf(endpoint, sent);
  const response = await test.app.inject({
    method: endpoint.method,
    url,
    headers: {
      ...(as.token ? { cookie: `session=${as.token}`, 'sec-fetch-site': 'same-origin' } : {}),
      ...(as.serviceKey ? { authorization: `Bearer ${as.serviceKey}` } : {}),
      ...(payload === undefined ? {} : { 'content-type': type }),
      ...subject.headers,
      ...sent.headers,
    },
    payload,
  });
  noteAnswer(endpoint.method, url, response.statusCode, response.body);
  return { status: response.statusCode, text: response.body, headers: response.headers };
}

/** The table's notation for a response. */
export function outcomeOf({ status }: Answer): 'yes' | number {
  return status < 400 && status !== 207 ? 'yes' : status;
}

/** The community and course for the rows of a table. */
export function contextOf(fixture: Fixture, at: { community?: Place; course?: Place }): Context {
  return {
    test: fixture.test,
    community: fixture.communities[at.community ?? 'open'],
    course: fixture.courses[at.course ?? 'open'],
  };
}

const BY_NAME = new Map(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint]));

/** The operation of a row: its first word. */
export function operationOf(row: string): Endpoint {
  const [name = ''] = row.split(' ');
  const endpoint = BY_NAME.get(name);
  if (!endpoint) throw new Error(`There is no operation ${name}: remove its rows or correct the name.`);
  return endpoint;
}
