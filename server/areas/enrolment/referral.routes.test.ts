import { referColleague, referMany } from '@officium/contract/enrolment';
import { listUserReferrals, updateUserReferrals } from '@officium/contract/people-records';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { lastMail, makePerson } from '#server/test/factories/accounts.ts';
import { makeCommunity } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const { db } = test.ctx;
const service = { serviceKey: SERVICE_KEY };
const newAddress = () => `colleague-${newId().slice(-12)}@example.gov`;
const course = await makeCourse(test);
const toCourse = (email: string) => ({ email, type: 'courses', slug: course.slug });

describe('referColleague', () => {
  it('sends one mail in the referrer’s language, without text of theirs', async () => {
    const [maya, email] = [await makePerson(test, { locale: 'pl', name: 'Maya Kowalska' }), newAddress()];
    const answer = await test.call(referColleague, maya.as, { body: toCourse(email) });
    expect(answer.status).toBe(201);
    expect(referColleague.replies[201].parse(answer.body)).toMatchObject(toCourse(email));
    const mail = await lastMail(test, email, 'referral');
    expect([mail.locale, mail.link.pathname]).toEqual(['pl', `/courses/${course.slug}`]);
    expect(mail.text).not.toContain('Kowalska');
    const again = await Promise.all(
      Array.from({ length: 25 }, () => test.call(referColleague, maya.as, { body: toCourse(email) })),
    );
    expect(new Set(again.map(({ body }) => body.id))).toEqual(new Set([answer.body.id]));
    expect(await test.mails(email)).toHaveLength(1);
  });

  it('allows twenty referrals a day under concurrent requests', async () => {
    const maya = await makePerson(test);
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => test.call(referColleague, maya.as, { body: toCourse(newAddress()) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(80_000);
    const removed = await test.call(updateUserReferrals, maya.as, {
      params: { userId: 'me' },
      body: { referrals: [] },
    });
    expect(removed.body.total).toBe(0);
    expect((await test.call(referColleague, maya.as, { body: toCourse(newAddress()) })).status).toBe(429);
  });

  it('mails one address at most three times a day', async () => {
    const email = newAddress();
    for (let n = 0; n < 5; n += 1) {
      const person = await makePerson(test);
      expect((await test.call(referColleague, person.as, { body: toCourse(email) })).status).toBe(201);
    }
    expect(await test.mails(email)).toHaveLength(3);
  });

  it('answers alike for unknown and hidden targets', async () => {
    const maya = await makePerson(test);
    const hidden = await makeCourse(test, { type: 'Private' });
    const community = await makeCommunity(db, { privacy: 'closed-hidden' });
    const refer = (type: string, slug: string) =>
      test.call(referColleague, maya.as, { body: { email: newAddress(), type, slug } });
    const answers = [
      await refer('courses', 'no-such-course'),
      await refer('courses', hidden.slug),
      await refer('communities', community.slug),
      await refer('microcourses', course.slug),
    ];
    for (const { status, body } of answers)
      expect([status, { ...body, requestId: '' }]).toEqual([404, { ...answers[0]?.body, requestId: '' }]);
    await enrol(test, maya, hidden.journey);
    expect((await refer('courses', hidden.slug)).status).toBe(201);
    expect((await refer('events', 'spring-meeting')).status).toBe(201);
  });

  it('refuses the referrer’s own address and malformed bodies', async () => {
    const maya = await makePerson(test);
    for (const body of [
      toCourse(maya.email),
      toCourse('nobody'),
      { ...toCourse(newAddress()), type: 'cats' },
      { ...toCourse(newAddress()), slug: 'a\0b' },
      { ...toCourse(newAddress()), slug: 'x'.repeat(10_000) },
      { email: newAddress() },
    ])
      expect((await test.call(referColleague, maya.as, { body })).status).toBe(400);
  });
});

describe('referMany', () => {
  it('accepts all rows and mails each address once, in the language of the request', async () => {
    const emails = [newAddress(), newAddress()];
    const send = () =>
      test.call(referMany, service, {
        body: { referrals: emails.map(toCourse) },
        headers: { 'accept-language': 'fr' },
      });
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(202);
    expect(referMany.replies[202].parse(first.body)).toEqual(second.body);
    expect((await test.mails(emails[0])).map(({ locale }) => locale)).toEqual(['fr']);
  });

  it('stores nothing when one row is wrong, and names that row', async () => {
    const email = newAddress();
    for (const row of [{ ...toCourse(newAddress()), slug: 'none' }, toCourse('nobody')]) {
      const answer = await test.call(referMany, service, { body: { referrals: [toCourse(email), row] } });
      expect(answer.status).toBe(400);
      expect(answer.body.issues[0].path).toMatch(/^referrals\.1\./);
    }
    expect((await test.call(referMany, service, { body: { referrals: [] } })).status).toBe(400);
    expect(await test.mails(email)).toEqual([]);
  });
});

describe('a user’s referrals', () => {
  it('are listed for the user and for administrators only', async () => {
    const [maya, other] = [await makePerson(test), await makePerson(test)];
    const admin = await makePerson(test, { role: 'administrator' });
    const { body: made } = await test.call(referColleague, maya.as, { body: toCourse(newAddress()) });
    const list = (as: typeof maya.as, userId: string) => test.call(listUserReferrals, as, { params: { userId } });
    const own = await list(maya.as, 'me');
    expect(listUserReferrals.replies[200].parse(own.body)).toEqual({ referrals: [made], total: 1 });
    expect((await list(admin.as, maya.id)).body).toEqual(own.body);
    expect((await list(maya.as, maya.id.toUpperCase())).status).toBe(200);
    expect((await list(other.as, maya.id)).status).toBe(403);
    expect((await list(other.as, newId())).status).toBe(403);
    expect((await list(admin.as, newId())).status).toBe(404);
    expect((await list(admin.as, 'x')).status).toBe(400);
  });

  it('are replaced as a whole, without a second mail for those that stay', async () => {
    const [maya, other] = [await makePerson(test), await makePerson(test)];
    const admin = await makePerson(test, { role: 'administrator' });
    const [kept, gone, added] = [newAddress(), newAddress(), newAddress()];
    for (const email of [kept, gone]) await test.call(referColleague, maya.as, { body: toCourse(email) });
    const body = { referrals: [toCourse(kept), toCourse(added)] };
    const answer = await test.call(updateUserReferrals, maya.as, { params: { userId: 'me' }, body });
    expect(answer.status).toBe(200);
    const { referrals } = updateUserReferrals.replies[200].parse(answer.body);
    expect(referrals.map(({ email }) => email)).toEqual([added, kept]);
    expect([await test.mails(kept), await test.mails(added)].map(({ length }) => length)).toEqual([1, 1]);
    expect((await test.call(updateUserReferrals, other.as, { params: { userId: maya.id }, body })).status).toBe(403);
    expect((await test.call(updateUserReferrals, admin.as, { params: { userId: newId() }, body })).status).toBe(404);
    for (const wrong of [
      { referrals: [toCourse(maya.email)] },
      { referrals: [{ ...toCourse(newAddress()), slug: 'none' }] },
      { referrals: [{ ...toCourse(newAddress()), extra: 1 }] },
      { extra: 1, referrals: [] },
      {},
    ]) {
      const refused = await test.call(updateUserReferrals, maya.as, { params: { userId: 'me' }, body: wrong });
      expect(refused.status).toBe(400);
    }
  });
});
