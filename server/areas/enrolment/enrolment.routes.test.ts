import { changeEmail, confirmEmailChange, confirmSignUp, createAccount } from '@officium/contract/auth';
import {
  createActivity,
  joinCommunity,
  leaveCommunity,
  listActivities,
  listMembers,
} from '@officium/contract/community';
import {
  changeEnrolments,
  Enrolment as EnrolmentInput,
  enrolMany,
  enrolPerson,
  withdrawPerson,
} from '@officium/contract/enrolment';
import { updateUserRecord } from '@officium/contract/people';
import { listBulkEnrolments, updateBulkEnrolment } from '@officium/contract/people-records';
import { castVote, createCommunityPoll } from '@officium/contract/polls';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eraseUser } from '#server/areas/auth/user.service.ts';
import { inTransaction, newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { lastMail, makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { completeLessons, enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';
import { enrolPerson as enrolUnderWay, expireRecordsJob } from './enrolment.service.ts';

const test = await createTestApp();
const { db } = test.ctx;
const service = { serviceKey: SERVICE_KEY };
const FUTURE = new Date(Date.now() + 3_600_000).toISOString();
const LATER = new Date(Date.now() + 7_200_000).toISOString();
const PAST = new Date(Date.now() - 60_000).toISOString();

let counter = 0;
const newAddress = () => `waiting-${(counter += 1)}-${newId().slice(-6)}@example.gov`;
const inCourse = (course: { slug: string }, enrolmentMetadata: object = {}) => ({
  type: 'courses',
  slug: course.slug,
  enrolmentMetadata,
});
const enrolmentsOf = async (person: { id: string }) =>
  await db.selectFrom('journey_enrolments').selectAll().where('user_id', '=', person.id).execute();

async function signUp(email: string): Promise<string> {
  await test.call(createAccount, {}, { body: { name: 'Noor', email } });
  const { code } = await lastMail(test, email, 'sign_up_code');
  expect((await test.call(confirmSignUp, {}, { body: { email, code } })).status).toBeLessThan(300);
  return (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
}

describe('enrolPerson', () => {
  it('enrols the owner of a proven address at once and adds them to the cohorts', async () => {
    const [maya, course, community] = [await makePerson(test), await makeCourse(test), await makeCommunity(db)];
    const cohortId = await makeCohort(test);
    const body = {
      email: maya.email.toUpperCase(),
      cohortIds: [cohortId],
      enrolments: [
        inCourse(course, { expiresOn: FUTURE, locale: 'fr' }),
        { type: 'communities', slug: community.slug },
      ],
    };
    const answer = await test.call(enrolPerson, service, { body });
    expect(answer.status).toBe(201);
    const { enrolments } = enrolPerson.replies[201].parse(answer.body);
    expect(enrolments.map(({ type, status }) => [type, status])).toEqual(
      expect.arrayContaining([
        ['courses', 'enrolled'],
        ['communities', 'enrolled'],
      ]),
    );
    expect(await enrolmentsOf(maya)).toMatchObject([
      { status: 'enrolled', locale: 'fr', metadata: { bulkEnrolment: true, cohortIds: [cohortId] } },
    ]);
    const { member_count: members } = await db
      .selectFrom('communities')
      .select('member_count')
      .where('id', '=', community.id)
      .executeTakeFirstOrThrow();
    expect(members).toBe(1);
    expect(await db.selectFrom('cohort_members').selectAll().where('cohort_id', '=', cohortId).execute()).toHaveLength(
      1,
    );
    expect(await test.mails(maya.email)).toEqual([]);
  });

  it('holds enrolments for an unknown address until its owner proves it', async () => {
    const [course, cohortId, email] = [await makeCourse(test), await makeCohort(test), newAddress()];
    const answer = await test.call(enrolPerson, service, {
      body: {
        email,
        userDefaults: { jobTitle: '<b>Planner</b>', locale: 'de' },
        cohortIds: [cohortId],
        enrolments: [inCourse(course)],
      },
    });
    expect(answer.body.enrolments).toMatchObject([{ status: 'pending' }]);
    expect((await lastMail(test, email, 'enrolment_invitation')).locale).toBe('de');
    await test.call(createAccount, {}, { body: { name: 'Noor', email } });
    const unproven = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    expect(await enrolmentsOf(unproven)).toEqual([]);
    await signUp(email);
    expect(await enrolmentsOf(unproven)).toMatchObject([{ status: 'enrolled' }]);
    expect(await db.selectFrom('cohort_members').selectAll().where('cohort_id', '=', cohortId).execute()).toHaveLength(
      1,
    );
    const noor = await db.selectFrom('users').selectAll().where('id', '=', unproven.id).executeTakeFirstOrThrow();
    expect(noor.job_title).toBe('Planner');
    const listed = await test.call(listBulkEnrolments, service, { query: { email } });
    expect(listed.body.bulkEnrolments).toMatchObject([{ status: 'enrolled' }]);
  });

  it('invites an address once when the same request arrives twenty times at once', async () => {
    const [course, cohortId, email] = [await makeCourse(test), await makeCohort(test), newAddress()];
    const body = { email, cohortIds: [cohortId], enrolments: [inCourse(course)] };
    const answers = await Promise.all(Array.from({ length: 20 }, () => test.call(enrolPerson, service, { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.enrolments[0].id)).size).toBe(1);
    expect((await test.mails(email)).filter(({ kind }) => kind === 'enrolment_invitation')).toHaveLength(1);
  });

  it('sends one invitation when several enrolments for an address arrive at once', async () => {
    const email = newAddress();
    const bodies = await Promise.all(
      Array.from({ length: 5 }, async () => ({
        email,
        cohortIds: [await makeCohort(test)],
        enrolments: [inCourse(await makeCourse(test))],
      })),
    );
    const answers = await Promise.all(bodies.map((body) => test.call(enrolPerson, service, { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await test.mails(email)).toHaveLength(1);
  });

  it('enrols a person who proves the address during the request', async () => {
    const [course, cohortId] = [await makeCourse(test), await makeCohort(test)];
    for (let round = 0; round < 5; round += 1) {
      const email = newAddress();
      await test.call(createAccount, {}, { body: { name: 'Noor', email } });
      const { code } = await lastMail(test, email, 'sign_up_code');
      await Promise.all([
        test.call(confirmSignUp, {}, { body: { email, code } }),
        test.call(enrolPerson, service, { body: { email, cohortIds: [cohortId], enrolments: [inCourse(course)] } }),
      ]);
      const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
      expect(await enrolmentsOf({ id })).toHaveLength(1);
    }
  });

  it('keeps the later of two end dates and revives an expired enrolment', async () => {
    const [maya, course, cohortId] = [await makePerson(test), await makeCourse(test), await makeCohort(test)];
    const request = async (expiresOn: string | null) =>
      (
        await test.call(enrolPerson, service, {
          body: { email: maya.email, cohortIds: [cohortId], enrolments: [inCourse(course, { expiresOn })] },
        })
      ).body.enrolments[0];
    expect(await request(LATER)).toMatchObject({ status: 'enrolled' });
    expect(await request(FUTURE)).toMatchObject({ enrolmentMetadata: { expiresOn: LATER } });
    await db.updateTable('bulk_enrolments').set({ expires_on: PAST }).where('email', '=', maya.email).execute();
    await db.updateTable('journey_enrolments').set({ expires_on: PAST }).where('user_id', '=', maya.id).execute();
    expect(await request(PAST)).toMatchObject({ status: 'expired' });
    expect(await request(FUTURE)).toMatchObject({ status: 'enrolled', enrolmentMetadata: { expiresOn: FUTURE } });
    expect((await enrolmentsOf(maya))[0]?.expires_on?.toISOString()).toBe(FUTURE);
  });

  it('refuses unknown targets and malformed bodies without storing anything', async () => {
    const [course, cohortId, email] = [await makeCourse(test), await makeCohort(test), newAddress()];
    const gone = await makeCourse(test);
    await setEntryStatus(test, gone.journey.entryId, 'withdrawn');
    const good = { email, cohortIds: [cohortId], enrolments: [inCourse(course)] };
    const refused: [object, string][] = [
      [{ cohortIds: [] }, 'At least one cohort ID is required'],
      [{ cohortIds: null }, 'At least one cohort ID is required'],
      [{ cohortIds: undefined }, 'At least one cohort ID is required'],
      [{ cohortIds: [cohortId, cohortId.toUpperCase()] }, 'All cohort IDs must be unique'],
      [{ cohortIds: [newId()] }, 'Unknown cohort'],
      [{ enrolments: [] }, 'At least one enrolment is required'],
      [{ enrolments: [{ type: 'courses', slug: 'no-such-course' }] }, 'Unknown course'],
      [{ enrolments: [{ type: 'communities', slug: course.slug }] }, 'Unknown community'],
      [{ enrolments: [inCourse(course, { journeySlug: 'none' })] }, 'Unknown journey'],
      [{ enrolments: [inCourse(gone, { journeySlug: gone.journey.slug })] }, 'Unknown journey'],
      [{ enrolments: [inCourse(course, { expiresOn: 'soon' })] }, 'Must be an ISO 8601 date and time, or a date alone'],
      [{ enrolments: [inCourse(course, { expiresOn: '0000-01-01' })] }, 'Must be a date after the year 0'],
      [{ enrolments: [inCourse(course, { expiresOn: '0000-12-31T00:00:00Z' })] }, 'Must be a date after the year 0'],
      [{ email: 'nobody' }, 'Must be an e-mail address'],
    ];
    for (const [change, message] of refused) {
      const answer = await test.call(enrolPerson, service, { body: { ...good, ...change } });
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    for (const change of [
      { enrolments: [{ type: 'cats', slug: course.slug }] },
      { enrolments: [inCourse({ slug: 'a\0b' })] },
      { userDefaults: { jobTitle: 5 } },
      { userDefaults: { jobTitle: 'a\0' } },
      { enrolments: 'all' },
      { cohortIds: ['x'] },
    ])
      expect((await test.call(enrolPerson, service, { body: { ...good, ...change } })).status).toBe(400);
    expect((await test.call(listBulkEnrolments, service, { query: { email } })).body.total).toBe(0);
  });
});

describe('a community enrolment', () => {
  const memberOf = async (community: { id: string }, person: { id: string }) =>
    await db
      .selectFrom('community_members')
      .select(['role', 'status'])
      .where('community_id', '=', community.id)
      .where('user_id', '=', person.id)
      .executeTakeFirst();
  const countOf = async (community: { id: string }) =>
    (await db.selectFrom('communities').select('member_count').where('id', '=', community.id).executeTakeFirstOrThrow())
      .member_count;

  async function setUp() {
    const [maya, community, cohortId] = [await makePerson(test), await makeCommunity(db), await makeCohort(test)];
    const request = async (expiresOn?: string | null) =>
      (
        await test.call(enrolPerson, service, {
          body: {
            email: maya.email,
            cohortIds: [cohortId],
            enrolments: [{ type: 'communities', slug: community.slug, enrolmentMetadata: { expiresOn } }],
          },
        })
      ).body.enrolments[0];
    const passEnd = async () => {
      await db.updateTable('bulk_enrolments').set({ expires_on: PAST }).where('email', '=', maya.email).execute();
      const memberships = db.updateTable('community_members').where('expires_on', 'is not', null);
      await memberships.set({ expires_on: PAST }).where('user_id', '=', maya.id).execute();
    };
    const end = async () => {
      await passEnd();
      await expireRecordsJob.run(test.ctx, {});
    };
    return { maya, community, cohortId, request, passEnd, end };
  }

  it('readmits a member who has left', async () => {
    const { maya, community, request } = await setUp();
    await request();
    expect((await test.call(leaveCommunity, maya.as, { params: { slug: community.slug } })).status).toBe(204);
    expect(await request()).toMatchObject({ status: 'enrolled' });
    expect([await memberOf(community, maya), await countOf(community)]).toMatchObject([{ status: 'active' }, 1]);
  });

  it('ends its membership once when it expires, and returns with a new end date', async () => {
    const { maya, community, request, end } = await setUp();
    await request(FUTURE);
    await request(LATER);
    await end();
    await end();
    expect([await memberOf(community, maya), await countOf(community)]).toEqual([undefined, 0]);
    expect(await request(FUTURE)).toMatchObject({ status: 'enrolled' });
    expect([await memberOf(community, maya), await countOf(community)]).toMatchObject([{ status: 'active' }, 1]);
    const { bulkEnrolments } = (await test.call(listBulkEnrolments, service, { query: { email: maya.email } })).body;
    const update = (body: object) =>
      test.call(updateBulkEnrolment, service, { params: { id: bulkEnrolments[0].id }, body });
    expect((await update({ status: 'expired' })).status).toBe(200);
    expect([await memberOf(community, maya), await countOf(community)]).toEqual([undefined, 0]);
    expect((await update({ metadata: { expiresOn: FUTURE } })).body.status).toBe('enrolled');
    expect([await memberOf(community, maya), await countOf(community)]).toMatchObject([{ status: 'active' }, 1]);
  });

  it('expires again after a renewal that came before the expiry job ran', async () => {
    const { maya, community, request, passEnd, end } = await setUp();
    await request(FUTURE);
    await passEnd();
    expect(await request(FUTURE)).toMatchObject({ status: 'enrolled' });
    expect([await memberOf(community, maya), await countOf(community)]).toMatchObject([{ status: 'active' }, 1]);
    await passEnd();
    const { bulkEnrolments } = (await test.call(listBulkEnrolments, service, { query: { email: maya.email } })).body;
    const back = await test.call(updateBulkEnrolment, service, {
      params: { id: bulkEnrolments[0].id },
      body: { metadata: { expiresOn: FUTURE } },
    });
    expect(back.body.status).toBe('enrolled');
    await end();
    expect([await memberOf(community, maya), await countOf(community)]).toEqual([undefined, 0]);
  });

  it('does not end memberships of other origin, owners or moderators', async () => {
    const one = await setUp();
    await makeMember(db, one.community, one.maya);
    await one.request(FUTURE);
    await one.end();
    expect(await memberOf(one.community, one.maya)).toMatchObject({ status: 'active' });
    const two = await setUp();
    await two.request(FUTURE);
    await db.updateTable('community_members').set({ role: 'owner' }).where('user_id', '=', two.maya.id).execute();
    await two.end();
    expect(await memberOf(two.community, two.maya)).toMatchObject({ role: 'owner' });
    const three = await setUp();
    await three.request(FUTURE);
    await db.updateTable('community_members').set({ level: 3 }).where('user_id', '=', three.maya.id).execute();
    await three.end();
    expect(await memberOf(three.community, three.maya)).toMatchObject({ status: 'active' });
  });

  it('keeps the end of the membership equal to the end of the record', async () => {
    const { maya, community, request } = await setUp();
    const endOf = async () =>
      (
        await db
          .selectFrom('community_members')
          .select('expires_on')
          .where('community_id', '=', community.id)
          .where('user_id', '=', maya.id)
          .executeTakeFirst()
      )?.expires_on?.toISOString();
    await request(FUTURE);
    expect(await endOf()).toBe(new Date(FUTURE).toISOString());
    await request(LATER);
    expect(await endOf()).toBe(new Date(LATER).toISOString());
    const { bulkEnrolments } = (await test.call(listBulkEnrolments, service, { query: { email: maya.email } })).body;
    const update = (expiresOn: string | null) =>
      test.call(updateBulkEnrolment, service, {
        params: { id: bulkEnrolments[0].id },
        body: { metadata: { expiresOn } },
      });
    expect((await update(FUTURE)).status).toBe(200);
    expect(await endOf()).toBe(new Date(FUTURE).toISOString());
    expect((await update(null)).status).toBe(200);
    expect(await endOf()).toBeUndefined();
  });

  it('admits nobody after its end, even before the expiry job runs', async () => {
    const community = await makeCommunity(db, { privacy: 'closed-visible', canView: 'authenticated' });
    const [maya, owner, cohortId] = [await makePerson(test), await makePerson(test), await makeCohort(test)];
    await makeMember(db, community, owner, { role: 'owner' });
    const { slug } = community;
    const poll = await test.call(createCommunityPoll, owner.as, {
      params: { slug },
      body: { title: 'Which?', options: ['A', 'B'].map((body, at) => ({ position: at + 1, body })), settings: {} },
    });
    const [option] = poll.body.optionIds;
    const enrolmentMetadata = { expiresOn: FUTURE };
    const input = await test.call(enrolPerson, service, {
      body: {
        email: maya.email,
        cohortIds: [cohortId],
        enrolments: [{ type: 'communities', slug, enrolmentMetadata }],
      },
    });
    expect(input.body.enrolments).toMatchObject([{ status: 'enrolled' }]);
    const post = { verb: 'post', body: 'A post' };
    const statuses = async () => [
      (await test.call(listActivities, maya.as, { params: { slug } })).status,
      (await test.call(createActivity, maya.as, { params: { slug }, body: post })).status,
      (await test.call(castVote, maya.as, { params: { id: option } })).status,
      (await test.call(listMembers, maya.as, { params: { slug } })).status,
    ];
    expect(await statuses()).toEqual([200, 201, 201, 200]);
    // Move the end dates back instead of waiting two hours.
    for (const table of ['community_members', 'bulk_enrolments'])
      await sql`update ${sql.table(table)} set expires_on = expires_on - interval '2 hours'`.execute(db);
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    expect((await test.call(joinCommunity, maya.as, { params: { slug } })).body).toMatchObject({ status: 'pending' });
    await expireRecordsJob.run(test.ctx, {});
    expect([await memberOf(community, maya), await countOf(community)]).toMatchObject([{ status: 'pending' }, 1]);
  });
});

describe('enrolments of an inactive account', () => {
  it('wait without a mail until the account is active again', async () => {
    const [course, community, cohortId] = [await makeCourse(test), await makeCommunity(db), await makeCohort(test)];
    const admin = await makePerson(test, { role: 'administrator' });
    const maya = await makePerson(test, { role: 'inactive' });
    const enrolments = [inCourse(course), { type: 'communities', slug: community.slug }];
    const body = { email: maya.email, cohortIds: [cohortId], enrolments };
    const answer = await test.call(enrolPerson, service, { body });
    expect(answer.body.enrolments).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
    expect(await test.mails(maya.email)).toEqual([]);
    const invitations = db.selectFrom('cohort_invitations').selectAll().where('email', '=', maya.email);
    expect(await invitations.execute()).toEqual([]);
    const change = { name: 'Maya', role: 'public-servant' };
    expect((await test.call(updateUserRecord, admin.as, { params: { id: maya.id }, body: change })).status).toBe(200);
    const listed = await test.call(listBulkEnrolments, service, { query: { email: maya.email } });
    expect(listed.body.bulkEnrolments).toMatchObject([{ status: 'enrolled' }, { status: 'enrolled' }]);
    expect(await enrolmentsOf(maya)).toHaveLength(1);
    expect(await db.selectFrom('cohort_members').selectAll().where('user_id', '=', maya.id).execute()).toHaveLength(1);
  });
});

describe('records of a changed address', () => {
  it('move with the person and are not granted to the next owner of the address', async () => {
    const [course, cohortId] = [await makeCourse(test), await makeCohort(test)];
    const maya = await makePerson(test, { password: 'a long enough password' });
    const newEmail = newAddress();
    const request = (email: string) =>
      test.call(enrolPerson, service, { body: { email, cohortIds: [cohortId], enrolments: [inCourse(course)] } });
    await request(maya.email);
    expect((await request(newEmail)).body.enrolments).toMatchObject([{ status: 'pending' }]);
    await test.call(changeEmail, maya.as, { body: { newEmail, password: 'a long enough password' } });
    const token = (await lastMail(test, newEmail, 'email_change')).link.searchParams.get('token');
    expect((await test.call(confirmEmailChange, maya.as, { body: { token } })).status).toBe(200);
    const recordsOf = async (email: string) =>
      (await test.call(listBulkEnrolments, service, { query: { email } })).body.bulkEnrolments;
    expect(await recordsOf(maya.email)).toEqual([]);
    expect(await recordsOf(newEmail)).toMatchObject([{ status: 'enrolled' }]);
    const next = await signUp(maya.email);
    expect(await enrolmentsOf({ id: next })).toEqual([]);
    expect((await request(maya.email)).body.enrolments).toMatchObject([{ status: 'enrolled' }]);
    expect(await enrolmentsOf({ id: next })).toHaveLength(1);
    expect(await enrolmentsOf(maya)).toHaveLength(1);
  });
});

describe('enrolMany', () => {
  it('accepts all rows and processes them once', async () => {
    const [maya, course, cohortId] = [await makePerson(test), await makeCourse(test), await makeCohort(test)];
    const email = newAddress();
    const one = { cohortIds: [cohortId], enrolments: [inCourse(course)] };
    const answer = await test.call(enrolMany, service, {
      body: {
        enrolments: [
          { ...one, email: maya.email },
          { ...one, email },
        ],
      },
    });
    expect(answer.status).toBe(202);
    const accepted = enrolMany.replies[202].parse(answer.body);
    expect(accepted.enrolments.map(({ enrolments }) => enrolments[0]?.status)).toEqual(['created', 'created']);
    await test.drain();
    await test.drain();
    const statusOf = async (of: string) =>
      (await test.call(listBulkEnrolments, service, { query: { email: of } })).body.bulkEnrolments[0].status;
    expect([await statusOf(maya.email), await statusOf(email)]).toEqual(['enrolled', 'pending']);
    expect(await enrolmentsOf(maya)).toHaveLength(1);
    expect((await test.mails(email)).map(({ kind }) => kind)).toEqual(['enrolment_invitation']);
  });

  it('stores nothing when one row is wrong, and names that row', async () => {
    const [course, cohortId, email] = [await makeCourse(test), await makeCohort(test), newAddress()];
    const one = { email, cohortIds: [cohortId], enrolments: [inCourse(course)] };
    const wrong = [
      { ...one, email: 'nobody' },
      { ...one, enrolments: [{ type: 'courses', slug: 'none' }] },
    ];
    for (const [row, path] of [
      [wrong[0], 'enrolments.1.email'],
      [wrong[1], 'enrolments.1.enrolments.0.slug'],
    ]) {
      const answer = await test.call(enrolMany, service, { body: { enrolments: [one, row] } });
      expect([answer.status, answer.body.issues[0].path]).toEqual([400, path]);
    }
    expect((await test.call(enrolMany, service, { body: { enrolments: [] } })).status).toBe(400);
    expect((await test.call(listBulkEnrolments, service, { query: { email } })).body.total).toBe(0);
  });
});

describe('changeEnrolments', () => {
  it('sets an earlier or later end date and revives an expired enrolment', async () => {
    const [maya, course, cohortId] = [await makePerson(test), await makeCourse(test), await makeCohort(test)];
    const change = async (expiresOn: string | null) =>
      await test.call(changeEnrolments, service, {
        params: { email: maya.email },
        body: { cohortIds: [cohortId], enrolments: [inCourse(course, { expiresOn })] },
      });
    const first = await change(LATER);
    expect(first.status).toBe(200);
    expect(changeEnrolments.replies[200].parse(first.body).enrolments[0]?.status).toBe('enrolled');
    await change(FUTURE);
    expect((await enrolmentsOf(maya))[0]?.expires_on?.toISOString()).toBe(FUTURE);
    expect((await change(PAST)).body.enrolments[0].status).toBe('expired');
    expect((await change(FUTURE)).body.enrolments[0].status).toBe('enrolled');
    expect(await enrolmentsOf(maya)).toHaveLength(1);
  });

  it('refuses an unknown address and a different address in the body', async () => {
    const [maya, course, cohortId] = [await makePerson(test), await makeCourse(test), await makeCohort(test)];
    const body = { cohortIds: [cohortId], enrolments: [inCourse(course)] };
    expect((await test.call(changeEnrolments, service, { params: { email: newAddress() }, body })).status).toBe(404);
    const other = { ...body, email: newAddress() };
    expect((await test.call(changeEnrolments, service, { params: { email: maya.email }, body: other })).status).toBe(
      400,
    );
  });
});

describe('withdrawPerson', () => {
  it('waits for a concurrent enrolment of the address and removes its record and enrolment', async () => {
    const [maya, course, cohortId] = [await makePerson(test), await makeCourse(test), await makeCohort(test)];
    const body = { email: maya.email, userDefaults: {}, cohortIds: [cohortId], enrolments: [inCourse(course)] };
    const input = EnrolmentInput.parse(body);
    const target = { params: { email: maya.email }, query: { courseSlug: course.slug } };
    const underWay = await db.startTransaction().execute();
    const ctx = { ...test.ctx, db: underWay };
    await enrolUnderWay(ctx, { kind: 'service', name: 'test' }, input);
    const withdrawing = test.call(withdrawPerson, service, target);
    await expect
      .poll(async () => {
        const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db);
        return rows.length;
      })
      .toBeGreaterThan(0);
    await underWay.commit().execute();
    expect((await withdrawing).status).toBe(200);
    expect(await enrolmentsOf(maya)).toEqual([]);
    const records = db.selectFrom('bulk_enrolments').selectAll().where('email', '=', maya.email);
    expect(await records.execute()).toEqual([]);
  });

  it('ends every enrolment in the course and keeps the completions', async () => {
    const [maya, course, cohortId] = [await makePerson(test), await makeCourse(test), await makeCohort(test)];
    await enrol(test, maya, course.journey);
    await completeLessons(test, maya, course.journey.lessons.slice(0, 1));
    const waiting = newAddress();
    await test.call(enrolPerson, service, {
      body: { email: waiting, cohortIds: [cohortId], enrolments: [inCourse(course)] },
    });
    const withdraw = (email: string) =>
      test.call(withdrawPerson, service, { params: { email }, query: { courseSlug: course.slug } });
    for (const email of [maya.email, waiting]) {
      const answer = await withdraw(email);
      expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
      expect((await withdraw(email)).status).toBe(404);
    }
    expect(await enrolmentsOf(maya)).toEqual([]);
    const done = await db.selectFrom('lesson_completions').selectAll().where('user_id', '=', maya.id).execute();
    expect(done).toHaveLength(1);
    const without = await test.call(withdrawPerson, service, { params: { email: maya.email } });
    expect(without.status).toBe(400);
  });
});

describe('erasure', () => {
  it('deletes the records of the address', async () => {
    const [maya, course, cohortId] = [await makePerson(test), await makeCourse(test), await makeCohort(test)];
    await test.call(enrolPerson, service, {
      body: { email: maya.email, cohortIds: [cohortId], enrolments: [inCourse(course)] },
    });
    await inTransaction(db, async (trx) => await eraseUser(test.ctx, trx, maya.id));
    expect((await test.call(listBulkEnrolments, service, { query: { email: maya.email } })).body.total).toBe(0);
  });
});
