import { readCourse } from '@officium/contract/learner';
import { buyJourney, listPayments, readMyPayment } from '@officium/contract/payments';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import {
  FAULTS,
  PAYMENT_KEYS,
  type Session,
  signedEvent,
  startPaymentProvider,
} from '#server/test/payment-provider.ts';
import { checkPayments } from './payment-event.service.ts';

const provider = await startPaymentProvider();
const test = await createTestApp(provider.settings);
const { db } = test.ctx;
afterAll(() => provider.close());

type Person = Awaited<ReturnType<typeof makePerson>>;

async function makePaid(price: string | null = '49.00 EUR'): Promise<TestCourse> {
  const course = await makeCourse(test, { journeys: [{ privacy: 'stripe-public' }] });
  await db.updateTable('journeys').set({ price }).where('key', '=', course.journey.key).execute();
  return course;
}
const placeOf = (course: TestCourse) => ({ courseSlug: course.slug, journeySlug: course.journey.slug });
const buy = (person: Person, course: TestCourse) => test.call(buyJourney, person.as, { params: placeOf(course) });
const send = async ({ body, headers }: ReturnType<typeof signedEvent>) =>
  (await test.send('POST', '/api/payments/events', { body, headers })).status;
const stateOf = async (person: Person, id: string) =>
  (await test.call(readMyPayment, person.as, { params: { id } })).body.state;

async function enrolmentOf(person: Person, course: TestCourse): Promise<string | undefined> {
  const row = await db
    .selectFrom('journey_enrolments')
    .select((eb) => eb.fn<string>('enrolment_status', ['status', 'expires_on']).as('status'))
    .where('user_id', '=', person.id)
    .where('journey_key', '=', course.journey.key)
    .executeTakeFirst();
  return row?.status;
}

/** The page as it is after a payment. */
function pay(id: string, given: Partial<Session> = {}): Session {
  const session = provider.sessionOf(id);
  Object.assign(session, {
    status: 'complete',
    payment_status: 'paid',
    payment_intent: `pi_${id}`,
    url: null,
    ...given,
  });
  return session;
}
async function begin() {
  const [maya, course] = [await makePerson(test), await makePaid()];
  const { body } = await buy(maya, course);
  return { maya, course, id: body.id as string };
}
const refund = (id: string) => signedEvent('charge.refunded', { payment_intent: `pi_${id}`, refunded: true });

describe('buyJourney', () => {
  it('opens one payment for two tabs, with the price of the record', async () => {
    const [maya, course] = [await makePerson(test), await makePaid()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => buy(maya, course)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const [{ body: payment }] = answers as [(typeof answers)[number]];
    expect(payment).toMatchObject({ state: 'open', price: { amount: 4900, currency: 'EUR' }, paidAt: null });
    const session = provider.sessionOf(payment.id);
    expect([payment.payUrl, session.amount_total, session.currency]).toEqual([session.url, 4900, 'eur']);
    expect((await buy(maya, course)).body.id).toBe(payment.id);
    expect(await enrolmentOf(maya, course)).toBeUndefined();
    const sent = provider.requests.filter(({ form }) => form['metadata[payment]'] === payment.id);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(JSON.stringify(sent)).not.toContain(maya.id);
  });

  it('refuses journeys without a price, other ways in, and people with a place', async () => {
    const maya = await makePerson(test);
    expect((await buy(maya, await makePaid(null))).body.code).toBe('payments.not_for_sale');
    expect((await buy(maya, await makeCourse(test))).body.code).toBe('payments.has_place');
    const closed = await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] });
    expect((await buy(maya, closed)).body.code).toBe('payments.not_for_sale');
    const own = await makePaid();
    await enrol(test, maya, own.journey);
    expect((await buy(maya, own)).status).toBe(409);
    const hidden = await makeCourse(test, { type: 'Private', journeys: [{ privacy: 'stripe-public' }] });
    expect((await buy(maya, hidden)).status).toBe(404);
    expect((await test.call(buyJourney, {}, { params: placeOf(own) })).status).toBe(401);
  });

  it('answers a conflict when the page was paid before its address arrived', async () => {
    const { maya, course, id } = await begin();
    await db.updateTable('payments').set({ pay_url: null, session_id: null }).where('id', '=', id).execute();
    pay(id);
    const answer = await buy(maya, course);
    expect([answer.status, answer.body.code]).toEqual([409, 'request.conflict']);
    await send(signedEvent('checkout.session.completed', provider.sessionOf(id)));
    expect(await enrolmentOf(maya, course)).toBe('enrolled');
  });

  it.each(Object.entries(FAULTS))('tells nothing of a provider that fails: %s', async (_, fault) => {
    const [maya, course] = [await makePerson(test), await makePaid()];
    provider.failNext(fault, fault, fault);
    const answer = await buy(maya, course);
    provider.failNext();
    expect(answer.status).toBe(503);
    expect(JSON.stringify(answer.body)).not.toContain('sk_');
    expect((await buy(maya, course)).status).toBe(201);
  });
});

describe('an event of Stripe', () => {
  it('enrols the person who paid, once, however often it arrives', async () => {
    const { maya, course, id } = await begin();
    const event = signedEvent('checkout.session.completed', pay(id));
    expect(await Promise.all(Array.from({ length: 8 }, () => send(event)))).toEqual(Array(8).fill(200));
    expect([await stateOf(maya, id), await enrolmentOf(maya, course)]).toEqual(['paid', 'enrolled']);
    expect((await buy(maya, course)).body.code).toBe('payments.has_place');
    const { metadata } = await db
      .selectFrom('journey_enrolments')
      .select('metadata')
      .where('user_id', '=', maya.id)
      .executeTakeFirstOrThrow();
    expect(metadata).toEqual({ bulkEnrolment: false, cohortIds: [] });
  });

  it('is refused when forged, replayed late or too large', async () => {
    const { maya, id } = await begin();
    const session = pay(id);
    const type = 'checkout.session.completed';
    expect(await send(signedEvent(type, session, { secret: 'whsec_another0123456789' }))).toBe(401);
    const old = Math.floor(Date.now() / 1000) - 3600;
    expect(await send(signedEvent(type, session, { at: old }))).toBe(401);
    const good = signedEvent(type, session);
    expect(await send({ ...good, body: good.body.replace('paid', 'PAID') })).toBe(401);
    expect(await send({ ...good, headers: { 'content-type': 'application/json' } })).toBe(401);
    expect(await send({ ...good, body: ' '.repeat(300_000) })).toBe(413);
    expect(await stateOf(maya, id)).toBe('open');
    expect(await send(signedEvent('customer.created', { id: 'cus_1' }))).toBe(200);
  });

  it('changes nothing when amount, currency or page differ from the record', async () => {
    const { maya, id } = await begin();
    const session = pay(id);
    for (const change of [{ amount_total: 1 }, { currency: 'usd' }, { id: 'cs_test_other' }, { metadata: {} }])
      expect(await send(signedEvent('checkout.session.completed', { ...session, ...change }))).toBe(200);
    expect(await send(signedEvent('checkout.session.completed', { ...session, metadata: { payment: newId() } }))).toBe(
      200,
    );
    expect(await stateOf(maya, id)).toBe('open');
  });

  it('of a slow bank gives nothing before it has paid', async () => {
    const { maya, course, id } = await begin();
    await send(signedEvent('checkout.session.completed', pay(id, { payment_status: 'unpaid' })));
    expect([await stateOf(maya, id), await enrolmentOf(maya, course)]).toEqual(['processing', undefined]);
    await send(signedEvent('checkout.session.async_payment_succeeded', pay(id)));
    expect([await stateOf(maya, id), await enrolmentOf(maya, course)]).toEqual(['paid', 'enrolled']);
    const other = await begin();
    await send(signedEvent('checkout.session.completed', pay(other.id, { payment_status: 'unpaid' })));
    await send(signedEvent('checkout.session.async_payment_failed', pay(other.id, { payment_status: 'unpaid' })));
    expect(await stateOf(other.maya, other.id)).toBe('failed');
    expect((await buy(other.maya, other.course)).status).toBe(201);
  });

  it('of a refund ends the enrolment and keeps the progress', async () => {
    const { maya, course, id } = await begin();
    await send(signedEvent('checkout.session.completed', pay(id)));
    await send(signedEvent('charge.refunded', { payment_intent: `pi_${id}`, refunded: false }));
    expect(await enrolmentOf(maya, course)).toBe('enrolled');
    await send(refund(id));
    expect([await stateOf(maya, id), await enrolmentOf(maya, course)]).toEqual(['refunded', 'expired']);
    const again = await buy(maya, course);
    expect([again.status, again.body.id === id]).toEqual([201, false]);
  });

  it('of a refund or dispute may arrive before or beside its completion', async () => {
    const early = await begin();
    await send(signedEvent('charge.dispute.created', { payment_intent: `pi_${early.id}` }));
    await send(signedEvent('checkout.session.completed', pay(early.id)));
    expect([await stateOf(early.maya, early.id), await enrolmentOf(early.maya, early.course)]).toEqual([
      'disputed',
      undefined,
    ]);
    const beside = await begin();
    const completed = signedEvent('checkout.session.completed', pay(beside.id));
    await Promise.all([send(completed), send(refund(beside.id)), send(completed)]);
    expect(await stateOf(beside.maya, beside.id)).toBe('refunded');
    expect(await enrolmentOf(beside.maya, beside.course)).not.toBe('enrolled');
  });

  it('of a refund leaves an enrolment that the payment did not give', async () => {
    const { maya, course, id } = await begin();
    await enrol(test, maya, course.journey);
    await send(signedEvent('checkout.session.completed', pay(id)));
    await send(refund(id));
    expect([await stateOf(maya, id), await enrolmentOf(maya, course)]).toEqual(['refunded', 'enrolled']);
  });
});

describe('payments whose event is lost', () => {
  const age = async (id: string, minutes: number) =>
    await sql`update payments set created_at = now() - make_interval(mins => ${minutes}),
      checked_at = now() - make_interval(mins => ${minutes}) where id = ${id}`.execute(db);

  it('are asked for, and a provider that fails is asked again', async () => {
    const [paid, closed] = [await begin(), await begin()];
    pay(paid.id);
    Object.assign(provider.sessionOf(closed.id), { status: 'expired', url: null });
    await age(paid.id, 30);
    provider.failNext(FAULTS.broken, FAULTS.broken);
    await checkPayments(test.ctx);
    expect(await stateOf(paid.maya, paid.id)).toBe('open');
    await age(paid.id, 30);
    await age(closed.id, 40);
    await checkPayments(test.ctx);
    expect([await stateOf(paid.maya, paid.id), await stateOf(closed.maya, closed.id)]).toEqual(['paid', 'expired']);
    expect(await enrolmentOf(paid.maya, paid.course)).toBe('enrolled');
  });

  it('are asked for when their person buys again', async () => {
    const { maya, course, id } = await begin();
    Object.assign(provider.sessionOf(id), { status: 'expired', url: null });
    await age(id, 90);
    const again = await buy(maya, course);
    expect([again.status, again.body.id === id, await stateOf(maya, id)]).toEqual([201, false, 'expired']);
  });
});

describe('payments of people', () => {
  it('are for themselves and administrators', async () => {
    const { maya, id } = await begin();
    const [other, admin] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    const read = async (person: Person) => (await test.call(readMyPayment, person.as, { params: { id } })).status;
    expect([await read(maya), await read(other), await read(admin)]).toEqual([200, 404, 404]);
    const list = (person: Person, of: string) => test.call(listPayments, person.as, { params: { id: of } });
    const { body } = await list(admin, maya.id);
    expect(listPayments.replies[200].parse(body).payments.map((payment) => payment.id)).toEqual([id]);
    expect(JSON.stringify(body)).not.toContain(PAYMENT_KEYS.secretKey);
    expect([(await list(maya, maya.id)).status, (await list(admin, newId())).status]).toEqual([403, 404]);
  });
});

describe('the page of a course', () => {
  it('shows the price where payments are taken, and who may buy', async () => {
    const [maya, course] = [await makePerson(test), await makePaid()];
    const shown = async (as = {}) => {
      const { body } = await test.call(readCourse, as, { params: { courseSlug: course.slug } });
      const { price, canBuy, wayIn } = body.course.journeys[0];
      return { price, canBuy, wayIn };
    };
    const price = { amount: 4900, currency: 'EUR' };
    expect(await shown()).toEqual({ price, canBuy: false, wayIn: 'payment' });
    expect(await shown(maya.as)).toEqual({ price, canBuy: true, wayIn: 'payment' });
    const plain = await createTestApp();
    const same = await makeCourse(plain, { journeys: [{ privacy: 'stripe-public' }] });
    await plain.ctx.db.updateTable('journeys').set({ price: '49.00 EUR' }).execute();
    const { body } = await plain.call(readCourse, {}, { params: { courseSlug: same.slug } });
    expect(body.course.journeys[0]).toMatchObject({ price: null, canBuy: false, wayIn: 'payment' });
    const refused = await plain.call(buyJourney, (await makePerson(plain)).as, { params: placeOf(same) });
    expect(refused.body.code).toBe('payments.not_for_sale');
    const event = signedEvent('checkout.session.completed', {});
    expect((await plain.send('POST', '/api/payments/events', event)).status).toBe(404);
  });
});
