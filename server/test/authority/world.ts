import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import type { Ground, Subject } from './subjects.ts';
import * as things from './things.ts';
import { makeZip, zipForm } from '../factories/zips.ts';

/**
 * open: listed, and read by whoever comes · closed: its name is seen, the rest is for members · hidden: not even that.
 * A course has two of them: open to everybody, or hidden from all who hold no place in it.
 */
export type Place = 'open' | 'closed' | 'hidden';

/** What is there before anybody asks for anything; no cell changes it. */
export type World = {
  test: TestApp;
  communities: Record<Place, TestCommunity>;
  courses: Record<Place, TestCourse>;
  /** Another open community and course: another parent than the one asked about. */
  elsewhere: { community: TestCommunity; course: TestCourse };
  /** Said and did all that is "another's": a member of every community, enrolled everywhere. */
  bystander: TestPerson;
  /** Owns every community, so that no other owner is the last. */
  owner: TestPerson;
  cohortId: string;
  academy: string;
  microcourse: string;
  /** Of the organisation people may come from. */
  provider: TestProvider;
  article: string;
  certificate: string;
  /** The address of a page that can be previewed. */
  page: string;
  /** Of PASSWORD; made once, because making one takes a while. */
  passwordHash: string;
};

export const PASSWORD = 'correct horse battery';

async function servePage(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}

const LESSONS = [{}, {}, {}, {}];
const ELSEWHERE: GivenCourse = {
  journeys: [{ sections: [{ lessons: [...LESSONS, { slug: 'lesson-of-another' }] }] }, { slug: 'another' }],
};

/** Beside its journey it has one that is hidden and one that was withdrawn, and beside its four lessons a withdrawn one. */
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

/** Each course, community and microcourse was `was-<slug>` before. */
async function makeFormerSlugs({ ctx: { db } }: TestApp): Promise<void> {
  await sql`
    insert into former_slugs (kind, slug, key)
    select 'course', 'was-' || slug, id from courses
    union all select 'community', 'was-' || slug, id::text from communities
    union all select 'microcourse', 'was-' || slug, id from microcourses`.execute(db);
}

export async function makeWorld(): Promise<World> {
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
    article: await things.makeArticle(test, bystander),
    certificate: await things.makeCertificate(test, bystander, courses.open.journey),
    page: `http://${host}/page`,
    passwordHash: await hashPassword(PASSWORD),
  };
}

/** One square of the table while it is tried. */
export type Cell = Ground & {
  world: World;
  /** Whose session asks; for nobody and machines somebody who stands nowhere. Made for this cell when it changes things. */
  me: TestPerson;
};

export type Sent = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Instead of a body: a picture, as a multipart form. */
  picture?: true;
  /** The same: a table of one address. */
  table?: true;
  /** The same: a content folder, packed. */
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

/** Sends a request as somebody and answers it as it came. */
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

/** How the table writes an answer. */
export function written({ status }: Answer): 'yes' | number {
  return status < 400 && status !== 207 ? 'yes' : status;
}

/** Where the rows of a table play. */
export function groundOf(world: World, at: { community?: Place; course?: Place }): Ground {
  return {
    test: world.test,
    community: world.communities[at.community ?? 'open'],
    course: world.courses[at.course ?? 'open'],
  };
}

const BY_NAME = new Map(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint]));

/** The operation a row is about: its first word. */
export function operationOf(row: string): Endpoint {
  const [name = ''] = row.split(' ');
  const endpoint = BY_NAME.get(name);
  if (!endpoint) throw new Error(`There is no operation ${name}: take its rows out, or correct the name.`);
  return endpoint;
}
