import { listEvents, readEvent } from '@officium/contract/events';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { CONTENT_YAML, makeContentFolder } from '#server/test/factories/content.ts';
import { toSchedule } from './event-catalogue.format.ts';
import { matchSessions, planSessions, type Schedule, scheduleFault } from './event-schedule.policy.ts';
import { readForExport } from './export.service.ts';
import { layOutFolder } from './folder-writer.format.ts';
import { importPath } from './import-source.service.ts';

const test = await createTestApp();

const EVENTS = `events:
  - slug: open-day
    title:
      en: Open day
    summary:
      en: Meet us
    starts: 2030-05-14T09:30
    ends: 2030-05-14T11:00
    timeZone: Europe/Berlin
    recurrence: FREQ=WEEKLY;COUNT=2
    place: Town hall
    link: https://meet.example/room
    capacity: 2
    recording: https://video.example/1
    community: writers
    course: letters
    about:
      en: Come.
    humanTranslation: true
    scopes:
      can_view: public
      can_join: authenticated
`;

let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});
const load = async (events: string) =>
  await importPath(test.ctx, await makeContentFolder({ 'content.yaml': `${CONTENT_YAML}${events}` }));

describe('events of a content folder', () => {
  it('come out as they went in, and an unchanged folder changes nothing', async () => {
    expect((await load(EVENTS)).faults).toEqual([]);
    const { folder, pictures } = await readForExport(test.ctx);
    expect(layOutFolder(folder, pictures.keys()).get('content.yaml')).toContain(EVENTS.trim());
    const session = async () =>
      (await test.call(readEvent, admin.as, { params: { slug: 'open-day' } })).body.sessions[0].id as string;
    const before = await session();
    expect(await load(EVENTS)).toMatchObject({ summary: { added: 0, changed: 0 } });
    expect(await session()).toBe(before);
  });

  it('are refused with their place when they are wrong', async () => {
    const wrong = async (change: (yaml: string) => string) => JSON.stringify((await load(change(EVENTS))).faults);
    expect(await wrong((yaml) => yaml.replace('11:00', '09:00'))).toContain('events[0].ends');
    expect(await wrong((yaml) => yaml.replace(';COUNT=2', ''))).toContain('events[0].recurrence');
    expect(await wrong((yaml) => yaml.replace(/ {4}starts.*\n/, ''))).toContain('events[0].starts');
    expect((await test.call(listEvents, admin.as)).body.total).toBe(1);
  });
});

describe('events of a Contentful export', () => {
  const read = (fields: Record<string, unknown>) => {
    const warnings: string[] = [];
    const schedule = toSchedule(
      (names) => names.map((name) => fields[name]).find((value) => value !== undefined) as never, // JSON of the test
      (field) => warnings.push(field),
    );
    return { schedule, warnings };
  };

  it('have their dates in the zone of the event', () => {
    const { schedule, warnings } = read({
      startDate: '2030-05-14T07:30:00.000Z',
      endDate: '2030-05-14T11:00+02:00',
      timeZone: 'Europe/Berlin',
      venue: 'Town hall',
      meetingLink: 'https://meet.example/room',
      capacity: 20,
      recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2',
    });
    expect(warnings).toEqual([]);
    expect(schedule).toMatchObject({
      starts: '2030-05-14T09:30',
      ends: '2030-05-14T11:00',
      timeZone: 'Europe/Berlin',
      recurrence: 'FREQ=WEEKLY;COUNT=2',
      place: 'Town hall',
      link: 'https://meet.example/room',
      capacity: 20,
    });
    expect(scheduleFault(schedule!)).toBeUndefined();
  });

  it('name what cannot be taken', () => {
    expect(read({ title: 'No date' }).schedule).toBeUndefined();
    const { schedule, warnings } = read({
      startDate: '2030-05-14',
      timeZone: 'Moon/Sea',
      location: { lat: 1, lon: 2 },
      link: 'javascript:alert(1)',
      capacity: 'many',
      recurrence: 'FREQ=WEEKLY',
    });
    expect(schedule).toMatchObject({ starts: '2030-05-14T00:00', ends: '2030-05-14T01:00', timeZone: 'UTC' });
    expect(schedule).toMatchObject({ place: null, link: null, capacity: null, recurrence: null });
    expect(warnings.toSorted()).toEqual(['capacity', 'ends', 'link', 'place', 'recurrence', 'timeZone']);
  });
});

describe('sessions of a schedule', () => {
  const schedule = (more: Partial<Schedule>): Schedule => ({
    starts: '2030-03-30T02:30',
    ends: '2030-03-30T03:30',
    timeZone: 'Europe/Berlin',
    recurrence: 'FREQ=DAILY;COUNT=3',
    place: null,
    link: null,
    capacity: null,
    recording: null,
    community: null,
    course: null,
    ...more,
  });

  it('leave out a time that the clock skips', () => {
    expect(planSessions(schedule({})).map(({ startsAt }) => startsAt.toISOString())).toEqual([
      '2030-03-30T01:30:00.000Z',
      '2030-04-01T00:30:00.000Z',
      '2030-04-02T00:30:00.000Z',
    ]);
  });

  it('stay, move, are cancelled or deleted', () => {
    const now = new Date('2030-03-01T00:00Z');
    const [one, two, three] = planSessions(schedule({}));
    const stored = (id: string, session: typeof one, hasRegistrations = true) => ({
      id,
      ...session!,
      isCancelled: false,
      hasRegistrations,
    });
    const all = [stored('a', one), stored('b', two), stored('c', three, false)];
    expect(matchSessions(all, [one!, two!, three!], now)).toEqual({ added: [], moved: [], deleted: [], cancelled: [] });
    const later = { startsAt: new Date('2030-06-01T10:00Z'), endsAt: new Date('2030-06-01T11:00Z') };
    expect(matchSessions(all, [two!, later], now)).toEqual({
      added: [],
      moved: [{ id: 'a', ...later }],
      deleted: ['c'],
      cancelled: [],
    });
    expect(matchSessions(all, [], now)).toMatchObject({ cancelled: ['a', 'b'], deleted: ['c'] });
    expect(matchSessions(all, [later], new Date('2031-01-01T00:00Z'))).toMatchObject({ added: [later], cancelled: [] });
  });
});
