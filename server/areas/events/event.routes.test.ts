import { deletePiece, createPiece, publishPiece, readPiece, savePiece } from '@officium/contract/authoring';
import {
  createCalendarFeed,
  deleteCalendarFeed,
  downloadCalendarFeed,
  downloadEventCalendar,
  leaveSession,
  listEvents,
  listMySessions,
  listSessionRegistrations,
  readCalendarFeedState,
  readEvent,
  registerForSession,
  setAttendance,
  updateSession,
} from '@officium/contract/events';
import { listNotifications } from '@officium/contract/notifications';
import { findMovedPage, search } from '@officium/contract/search';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CommunityPrivacy, SCOPES } from '#server/access/can.ts';
import { ROLES } from '#server/access/viewer.ts';
import { openSession } from '#server/access/sessions.ts';
import { eraseRows } from '#server/personal-data/define.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { notifySessionStarts } from '#server/areas/catalogue/seat.repository.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { CONTENT_YAML, makeContentFolder } from '#server/test/factories/content.ts';
import { eventRegistrations } from './personal-data.ts';

const test = await createTestApp();
const { db } = test.ctx;

const EVENTS = `events:
  - slug: open-day
    title: {en: Open day, fr: Portes ouvertes}
    summary: {en: Meet us}
    about: {en: "Come, *zebras* too.", fr: Venez.}
    starts: 2030-05-14T09:30
    ends: 2030-05-14T11:00
    timeZone: Europe/Berlin
    place: Town hall
    link: https://meet.example/room
    capacity: 2
    community: writers
    course: letters
    scopes: {can_view: public, can_join: authenticated}
  - slug: clinic
    title: {en: Writing clinic}
    about: {en: Bring a letter.}
    starts: 2030-03-20T18:00
    ends: 2030-03-20T19:00
    timeZone: Europe/Berlin
    recurrence: FREQ=WEEKLY;COUNT=3
    scopes: {can_view: authenticated, can_join: verified}
  - slug: closed
    title: {en: Closed meeting}
    about: {en: Okapis.}
    starts: 2030-06-01T10:00
    ends: 2030-06-01T12:00
  - slug: long-ago
    title: {en: Long ago}
    about: {en: It was.}
    starts: 2020-06-01T10:00
    ends: 2020-06-01T12:00
    recording: https://video.example/long-ago
    scopes: {can_view: public, can_join: authenticated}
`;

let admin: TestPerson;
let person: TestPerson;
beforeAll(async () => {
  const folder = await makeContentFolder({ 'content.yaml': `${CONTENT_YAML}${EVENTS}` });
  expect((await importPath(test.ctx, folder)).faults).toEqual([]);
  admin = await makePerson(test, { role: 'administrator' });
  person = await makePerson(test);
});

const read = async (slug: string, as: As = {}) => await test.call(readEvent, as, { params: { slug } });
const sessionsOf = async (slug: string) => {
  const { body } = await read(slug, admin.as);
  return (body.sessions as { id: string; startsAt: string; taken: number; waiting: number }[]).map((each) => each);
};
const sessionOf = async (slug: string) => (await sessionsOf(slug))[0]!.id;
const register = async (id: string, as: As) => await test.call(registerForSession, as, { params: { id } });
const leave = async (id: string, as: As) => await test.call(leaveSession, as, { params: { id } });
const slugsOf = async (as: As = {}, query = {}) =>
  ((await test.call(listEvents, as, { query })).body.events as { slug: string }[]).map(({ slug }) => slug);
const told = async (who: TestPerson) =>
  ((await test.call(listNotifications, who.as)).body.notifications as { event: string }[]).map(({ event }) => event);

/** An event of its own, made on the screen. */
async function publishEvent(slug: string, doc: object, scopes = { can_view: 'public', can_join: 'authenticated' }) {
  const made = await test.call(createPiece, admin.as, { body: { kind: 'event', slug, title: 'An event' } });
  const params = { kind: 'event', key: made.body.key as string };
  await change(params, { about: { en: 'About it.' }, starts: '2031-01-10T10:00', ends: '2031-01-10T11:00', ...doc });
  await sql`update products set can_view = ${scopes.can_view}, can_join = ${scopes.can_join}, is_set = true
    where entry_id = ${params.key}`.execute(db);
  return params;
}
async function change(params: { kind: string; key: string }, changes: object) {
  const { doc, version } = (await test.call(readPiece, admin.as, { params })).body;
  const saved = await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, ...changes } } });
  expect(saved).toMatchObject({ status: 200 });
  const published = await test.call(publishPiece, admin.as, { params, body: { version: saved.body.version } });
  expect(published).toMatchObject({ status: 200 });
}

describe('listEvents', () => {
  it('lists what the caller may see, upcoming ones by date and past ones apart', async () => {
    expect(await slugsOf()).toEqual(['open-day']);
    expect(await slugsOf(person.as)).toEqual(['clinic', 'open-day']);
    expect(await slugsOf(admin.as)).toEqual(['clinic', 'open-day', 'closed']);
    expect(await slugsOf({}, { when: 'past' })).toEqual(['long-ago']);
    expect(await slugsOf(person.as, { community: 'writers' })).toEqual(['open-day']);
    expect(await slugsOf(person.as, { community: 'nowhere' })).toEqual([]);
    const { body } = await test.call(listEvents, person.as, { query: { limit: 1, offset: 1 } });
    expect([body.total, body.events.map((card: { slug: string }) => card.slug)]).toEqual([2, ['open-day']]);
    expect(listEvents.replies[200].parse(body)).toEqual(body);
  });

  it('does not reveal that a hidden community has events', async () => {
    const setPrivacy = async (privacy: CommunityPrivacy) =>
      await db.updateTable('communities').set({ privacy }).where('slug', '=', 'writers').execute();
    const about = { community: 'writers' };
    await setPrivacy('closed-hidden');
    const hidden = await test.call(listEvents, person.as, { query: about });
    const missing = await test.call(listEvents, person.as, { query: { community: 'nowhere' } });
    expect(hidden.body).toEqual(missing.body);
    expect(await slugsOf({}, about)).toEqual([]);
    expect(await slugsOf(admin.as, about)).toEqual(['open-day']);
    await setPrivacy('open-visible');
    expect(await slugsOf({}, about)).toEqual(['open-day']);
  });

  it('lists a private event to those whose cohort has it', async () => {
    const member = await makePerson(test);
    const cohort = await makeCohort(test);
    await putInCohort(test, cohort, member);
    await sql`insert into cohort_products (cohort_id, entry_id, position) values (${cohort}, 'closed', 0)`.execute(db);
    expect(await slugsOf(member.as)).toContain('closed');
    expect((await register(await sessionOf('closed'), member.as)).body).toMatchObject({ status: 'seat' });
    expect((await register(await sessionOf('closed'), person.as)).status).toBe(404);
  });
});

describe('readEvent', () => {
  it('answers the event with its sessions, community and course', async () => {
    const { body } = await test.call(readEvent, {}, { params: { slug: 'open-day' }, query: { locale: 'fr' } });
    expect(readEvent.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      title: 'Portes ouvertes',
      html: expect.stringContaining('Venez'),
      community: { slug: 'writers' },
      course: { slug: 'letters' },
      joining: 'sign-in',
      sessions: [{ startsAt: '2030-05-14T07:30:00.000Z', isOnline: true, link: null, place: 'Town hall', capacity: 2 }],
    });
  });

  it('keeps the time of day across the change to summer time', async () => {
    expect((await sessionsOf('clinic')).map(({ startsAt }) => startsAt)).toEqual([
      '2030-03-20T17:00:00.000Z',
      '2030-03-27T17:00:00.000Z',
      '2030-04-03T16:00:00.000Z',
    ]);
  });

  it('shows the recording after the end, and hides events as missing', async () => {
    expect((await read('long-ago')).body.sessions[0].recording).toBe('https://video.example/long-ago');
    for (const [slug, as] of [
      ['clinic', {}],
      ['closed', person.as],
      ['nothing', admin.as],
    ] as const)
      expect((await read(slug, as)).status).toBe(404);
  });

  it('is found in search, and at its former address', async () => {
    await sql`insert into former_slugs (kind, slug, key) select 'event', 'was-open-day', id from editorials where slug = 'open-day'`.execute(
      db,
    );
    const moved = await test.call(findMovedPage, {}, { query: { path: '/events/was-open-day' } });
    expect(moved.body).toEqual({ path: '/events/open-day' });
    const found = await test.call(search, {}, { query: { q: 'zebras', group: 'learning' } });
    expect(JSON.stringify(found.body)).toContain('/events/open-day');
    expect(JSON.stringify((await test.call(search, person.as, { query: { q: 'Okapis' } })).body)).not.toContain(
      'closed',
    );
  });
});

describe('registering', () => {
  it('gives seats, then places on the waiting list, and the freed seat to the first who waits', async () => {
    const id = await sessionOf('open-day');
    const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map(async () => await makePerson(test)));
    if (!one || !two || !three || !four) throw new Error('four people');
    expect((await register(id, one.as)).body).toEqual({ status: 'seat', waitingPlace: null });
    expect((await register(id, two.as)).body).toEqual({ status: 'seat', waitingPlace: null });
    expect((await register(id, three.as)).body).toEqual({ status: 'waiting', waitingPlace: 1 });
    expect((await register(id, four.as)).body).toEqual({ status: 'waiting', waitingPlace: 2 });
    expect((await register(id, one.as)).body).toEqual({ status: 'seat', waitingPlace: null });
    const linkFor = async (who: TestPerson) => (await read('open-day', who.as)).body.sessions[0].link;
    expect([await linkFor(one), await linkFor(three)]).toEqual(['https://meet.example/room', null]);
    expect((await leave(id, one.as)).status).toBe(204);
    expect((await leave(id, one.as)).status).toBe(404);
    expect((await read('open-day', three.as)).body.sessions[0].mine).toEqual({ status: 'seat', waitingPlace: null });
    expect((await read('open-day', four.as)).body.sessions[0]).toMatchObject({
      taken: 2,
      waiting: 1,
      mine: { status: 'waiting', waitingPlace: 1 },
      can: { register: false, leave: true },
    });
    expect([await told(two), await told(three), await told(four)]).toEqual([['event_seat'], ['event_promoted'], []]);
    expect(await told(one)).toEqual([]);
  });

  it('gives the last seat once, however many ask for it', async () => {
    await publishEvent('race', { capacity: 3 });
    const id = await sessionOf('race');
    const crowd = await Promise.all(Array.from({ length: 16 }, async () => await makePerson(test)));
    const answers = await Promise.all(crowd.map(async ({ as }) => (await register(id, as)).body));
    expect(answers.filter(({ status }) => status === 'seat')).toHaveLength(3);
    const places = answers.flatMap(({ waitingPlace }) => waitingPlace ?? []).toSorted((a, b) => a - b);
    expect(places).toEqual(Array.from({ length: 13 }, (_, nth) => nth + 1));
    await Promise.all(crowd.slice(0, 8).map(async ({ as }) => await leave(id, as)));
    expect((await sessionsOf('race'))[0]).toMatchObject({ taken: 3, waiting: 5 });
  });

  it('needs the permission to join', async () => {
    const learner = await makePerson(test, { role: 'non-public-servant' });
    const id = await sessionOf('clinic');
    expect((await register(id, learner.as)).status).toBe(403);
    expect((await read('clinic', learner.as)).body.joining).toBe('no');
    expect((await register(id, {})).status).toBe(401);
    expect((await register(id, person.as)).status).toBe(200);
    expect((await leave(id, learner.as)).status).toBe(404);
  });

  it('passes over those who may not register any more', async () => {
    const { key } = await publishEvent('narrowed', { capacity: 1 });
    const id = await sessionOf('narrowed');
    const holder = await makePerson(test);
    const learner = await makePerson(test, { role: 'non-public-servant' });
    const next = await makePerson(test);
    for (const who of [holder, learner, next]) await register(id, who.as);
    await sql`update products set can_view = 'verified', can_join = 'verified' where entry_id = ${key}`.execute(db);
    await leave(id, holder.as);
    expect((await read('narrowed', next.as)).body.sessions[0].mine).toEqual({ status: 'seat', waitingPlace: null });
    expect([await told(learner), await told(next)]).toEqual([[], ['event_promoted']]);
  });

  it('is open to the same people for the waiting list as for a request', async () => {
    const { key } = await publishEvent('agreed', {});
    const granted = await makePerson(test, { role: 'non-public-servant' });
    await putInCohort(test, await makeCohort(test, { products: [key] }), granted);
    const people = [granted, ...(await Promise.all(ROLES.map(async (role) => await makePerson(test, { role }))))];
    for (const scope of SCOPES) {
      await sql`update products set can_view = 'public', can_join = ${scope} where entry_id = ${key}`.execute(db);
      for (const { id, as } of people) {
        const { rows } = await sql<{ may: boolean }>`select may_take_seat(${key}, ${id}) as may`.execute(db);
        const page = await read('agreed', as);
        expect([scope, rows[0]?.may]).toEqual([scope, page.status === 200 && page.body.joining === 'yes']);
      }
    }
  });

  it('is closed after the end and for cancelled sessions', async () => {
    const past = await sessionOf('long-ago');
    expect((await register(past, person.as)).body).toMatchObject({ code: 'events.closed' });
    expect((await leave(past, person.as)).status).toBe(409);
    await publishEvent('off', {});
    const id = await sessionOf('off');
    await test.call(updateSession, admin.as, { params: { id }, body: { cancelled: true } });
    expect((await register(id, person.as)).status).toBe(409);
  });

  it('frees the seat of an erased person', async () => {
    await publishEvent('erased', { capacity: 1 });
    const id = await sessionOf('erased');
    const [holder, next] = [await makePerson(test), await makePerson(test)];
    await register(id, holder.as);
    await register(id, next.as);
    await eraseRows(db, eventRegistrations, { id: holder.id, email: null });
    expect((await read('erased', next.as)).body.sessions[0].mine).toEqual({ status: 'seat', waitingPlace: null });
  });
});

describe('a schedule that changes', () => {
  it('moves the session with its seats and notifies their holders', async () => {
    const params = await publishEvent('moves', { capacity: 1 });
    const id = await sessionOf('moves');
    const [holder, next] = [await makePerson(test), await makePerson(test)];
    await register(id, holder.as);
    await register(id, next.as);
    await change(params, { starts: '2031-02-01T10:00', ends: '2031-02-01T11:00' });
    expect((await sessionsOf('moves'))[0]).toMatchObject({ id, startsAt: '2031-02-01T10:00:00.000Z', taken: 1 });
    expect(await told(holder)).toEqual(['event_changed', 'event_seat']);
    await change(params, { capacity: 2 });
    expect(await told(next)).toEqual(['event_promoted', 'event_changed']);
    await change(params, { recurrence: 'FREQ=DAILY;COUNT=3' });
    const [first, second] = await sessionsOf('moves');
    expect(first?.id).toBe(id);
    await register(second!.id, holder.as);
    await change(params, { recurrence: null });
    expect((await read('moves', holder.as)).body.sessions).toMatchObject([
      { id },
      { id: second!.id, isCancelled: true },
    ]);
    expect(await told(holder)).toContain('event_cancelled');
  });

  it('is refused with its field when it is wrong', async () => {
    const made = await test.call(createPiece, admin.as, { body: { kind: 'event', slug: 'wrong', title: 'Wrong' } });
    const params = { kind: 'event', key: made.body.key as string };
    const { doc, version } = (await test.call(readPiece, admin.as, { params })).body;
    const wrong: [object, string][] = [
      [{ starts: '2030-02-30T10:00' }, 'doc.starts'],
      [{ starts: '2030-02-03T10:00', ends: '2030-02-03T09:00' }, 'doc.ends'],
      [{ timeZone: 'Mars/Olympus' }, 'doc.timeZone'],
      [{ recurrence: 'every week' }, 'doc.recurrence'],
      [{ recurrence: 'FREQ=WEEKLY' }, 'doc.recurrence'],
      [{ recurrence: 'FREQ=HOURLY;COUNT=2' }, 'doc.recurrence'],
      [{ recurrence: 'FREQ=DAILY;COUNT=900' }, 'doc.recurrence'],
      [{ recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2' }, 'doc.recurrence'],
      [{ capacity: 0 }, 'doc.capacity'],
      [{ link: 'javascript:alert(1)' }, 'doc.link'],
      [{ community: 'nowhere' }, 'doc.community'],
      [{ course: 'nowhere' }, 'doc.course'],
    ];
    for (const [changes, path] of wrong) {
      const answer = await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, ...changes } } });
      expect([changes, answer]).toMatchObject([changes, { status: 400, body: { issues: [{ path }] } }]);
    }
    const saved = await test.call(savePiece, admin.as, {
      params,
      body: { version, doc: { ...doc, about: { en: 'A' } } },
    });
    const published = await test.call(publishPiece, admin.as, { params, body: { version: saved.body.version } });
    expect(published).toMatchObject({ status: 400, body: { issues: [{ path: 'doc.starts' }] } });
    expect((await test.call(deletePiece, admin.as, { params, body: { version: saved.body.version } })).status).toBe(
      204,
    );
  });
});

describe('updateSession', () => {
  it('changes a place, gives new seats and notifies', async () => {
    await publishEvent('one', { capacity: 1 });
    const id = await sessionOf('one');
    const [holder, next] = [await makePerson(test), await makePerson(test)];
    await register(id, holder.as);
    await register(id, next.as);
    const patch = async (body: object, as = admin.as) =>
      (await test.call(updateSession, as, { params: { id }, body })).status;
    expect(await patch({ place: 'Library', capacity: 5 })).toBe(204);
    expect((await read('one', next.as)).body.sessions[0]).toMatchObject({ place: 'Library', taken: 2, waiting: 0 });
    expect(await told(holder)).toEqual(['event_changed', 'event_seat']);
    expect(await patch({ cancelled: true })).toBe(204);
    expect(await told(holder)).toEqual(['event_cancelled']);
    expect(await patch({ cancelled: false, place: null })).toBe(204);
    expect((await read('one', next.as)).body.sessions[0]).toMatchObject({ place: null, isCancelled: false });
    expect(await patch({}, person.as)).toBe(403);
    const missing = await test.call(updateSession, admin.as, { params: { id: person.id }, body: {} });
    expect(missing.status).toBe(404);
  });
});

describe('registrations', () => {
  it('are listed to administrators, who mark attendance', async () => {
    await publishEvent('list', { capacity: 1 });
    const id = await sessionOf('list');
    const [holder, next] = [await makePerson(test), await makePerson(test)];
    await register(id, holder.as);
    await register(id, next.as);
    const list = async (as: As, query = {}) => await test.call(listSessionRegistrations, as, { params: { id }, query });
    expect((await list(holder.as)).status).toBe(403);
    const mark = async (userId: string, attended: boolean, as = admin.as) =>
      (await test.call(setAttendance, as, { params: { id, userId }, body: { attended } })).status;
    expect(await mark(holder.id, true)).toBe(204);
    expect([await mark(next.id, true), await mark(admin.id, true)]).toEqual([404, 404]);
    expect(await mark(holder.id, true, holder.as)).toBe(403);
    const { body } = await list(admin.as);
    expect(listSessionRegistrations.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      total: 2,
      registrations: [
        { userId: holder.id, status: 'seat', attendedAt: expect.any(String) },
        { userId: next.id, status: 'waiting', attendedAt: null },
      ],
    });
    expect((await list(admin.as, { limit: 1, offset: 1 })).body.registrations).toHaveLength(1);
    expect(await mark(holder.id, false)).toBe(204);
    expect((await list(admin.as)).body.registrations[0].attendedAt).toBeNull();
    const missing = await test.call(listSessionRegistrations, admin.as, { params: { id: person.id } });
    expect(missing.status).toBe(404);
  });
});

describe('calendars', () => {
  it('have a file for each event, with stable ids and a growing sequence', async () => {
    const params = await publishEvent('calendar', { link: 'https://meet.example/secret', place: 'Hall' });
    const id = await sessionOf('calendar');
    const file = async (as: As = {}) =>
      await test.send('GET', '/api/content/events/by-slug/calendar/calendar.ics', { as });
    const { headers, body } = await file();
    expect(headers['content-type']).toBe('text/calendar');
    expect(body).toContain(`UID:${id}@localhost`);
    expect(body).toContain('DTSTART:20310110T100000Z');
    expect(body).toContain('SEQUENCE:0');
    expect(body).not.toContain('meet.example');
    await register(id, person.as);
    expect((await file(person.as)).body).toContain('meet.example/secret');
    await change(params, { ends: '2031-01-10T12:00' });
    expect((await file()).body).toMatch(/DTEND:20310110T120000Z/);
    expect((await file()).body).toContain('SEQUENCE:1');
    expect((await test.call(downloadEventCalendar, {}, { params: { slug: 'closed' } })).status).toBe(404);
  });

  it('have a secret address for the own seats, which can be revoked', async () => {
    const owner = await makePerson(test);
    await register(await sessionOf('clinic'), owner.as);
    expect((await test.call(readCalendarFeedState, owner.as)).body).toEqual({ createdAt: null });
    const { body } = await test.call(createCalendarFeed, owner.as);
    const token = new URL(body.url).searchParams.get('token');
    const feed = async () => await test.call(downloadCalendarFeed, {}, { query: { token } });
    expect((await feed()).status).toBe(200);
    const text = (await test.send('GET', new URL(body.url).pathname + new URL(body.url).search)).body as string;
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    const { rows } = await sql<{ hash: string }>`select encode(token_hash, 'hex') as hash from event_feeds`.execute(db);
    expect(rows.some(({ hash }) => hash.includes(token ?? ''))).toBe(false);
    expect((await test.call(readCalendarFeedState, owner.as)).body.createdAt).toEqual(expect.any(String));
    await test.call(createCalendarFeed, owner.as);
    expect((await feed()).status).toBe(404);
    expect((await test.call(deleteCalendarFeed, owner.as)).status).toBe(204);
    expect((await test.call(readCalendarFeedState, owner.as)).body).toEqual({ createdAt: null });
  });
});

describe('a session narrowed by a token', () => {
  it('can neither make nor revoke the calendar address, which would outlive it', async () => {
    const owner = await makePerson(test);
    await test.call(createCalendarFeed, owner.as);
    const token = await openSession(db, { userId: owner.id, permissions: { communities: {}, courses: {} } });
    expect((await test.call(createCalendarFeed, { token })).status).toBe(403);
    expect((await test.call(deleteCalendarFeed, { token })).status).toBe(403);
    expect((await test.call(readCalendarFeedState, owner.as)).body.createdAt).toEqual(expect.any(String));
  });
});

describe('own sessions and reminders', () => {
  it('leave out events that are hidden from their holder since, as does the calendar address', async () => {
    const { key } = await publishEvent('no-longer', { link: 'https://meet.example/no-longer' });
    const id = await sessionOf('no-longer');
    const own = await makePerson(test);
    await register(id, own.as);
    const token = new URL((await test.call(createCalendarFeed, own.as)).body.url).searchParams.get('token');
    const seen = async () => [
      (await test.call(listMySessions, own.as)).body.total,
      String((await test.send('GET', `/api/content/events/feed.ics?token=${token}`)).body).includes('no-longer'),
    ];
    expect(await seen()).toEqual([1, true]);
    await db.updateTable('products').set({ can_view: 'verified' }).where('entry_id', '=', key).execute();
    expect(await seen()).toEqual([1, true]);
    await db.updateTable('users').set({ role: 'non-public-servant' }).where('id', '=', own.id).execute();
    await test.forgetSessions(own.id);
    expect(await seen()).toEqual([0, false]);
    expect((await leave(id, own.as)).status).toBe(204);
  });

  it('lists own seats and places only', async () => {
    const own = await makePerson(test);
    await register((await sessionsOf('clinic'))[2]!.id, own.as);
    const { body } = await test.call(listMySessions, own.as);
    expect(listMySessions.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      total: 1,
      sessions: [{ event: { slug: 'clinic' }, session: { mine: { status: 'seat' } } }],
    });
    expect((await test.call(listMySessions, own.as, { query: { when: 'past' } })).body.total).toBe(0);
  });

  it('reminds of a seat a day before, once', async () => {
    await publishEvent('soon', { capacity: 1 });
    const id = await sessionOf('soon');
    const [holder, next] = [await makePerson(test), await makePerson(test)];
    await register(id, holder.as);
    await register(id, next.as);
    await sql`update event_sessions set starts_at = now() + interval '20 hours', ends_at = now() + interval '21 hours'
      where id = ${id}`.execute(db);
    await Promise.all([notifySessionStarts(db), notifySessionStarts(db)]);
    expect([await told(holder), await told(next)]).toEqual([['event_reminder', 'event_seat'], []]);
    await sql`update notifications set read_at = now() where user_id = ${holder.id}`.execute(db);
    await notifySessionStarts(db);
    expect((await told(holder)).filter((event) => event === 'event_reminder')).toHaveLength(1);
  });
});
