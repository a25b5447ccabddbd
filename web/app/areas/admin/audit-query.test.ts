import { expect, test } from 'vitest';
import { auditQueryOf, placeOfActor, placeOfObject } from './audit-query.ts';

const of = (query: string) => auditQueryOf(new URL(`http://x/admin/audit?${query}`));
const ID = '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57';

test('reads the query from the address and ignores invalid values', () => {
  expect(of('actor=+system+&action=&from=2026-02-03&to=2026-02-31x')).toEqual({
    actor: 'system',
    action: undefined,
    object: undefined,
    from: '2026-02-03T00:00:00Z',
    to: undefined,
  });
});

test('links objects to their pages', () => {
  expect([placeOfActor(ID), placeOfActor('service:hr')]).toEqual([`/people/${ID}`, undefined]);
  const place = (objectKind: string | null, object = ID, action = 'x.y', isOffice = true) =>
    placeOfObject({ action, object, objectKind }, isOffice);
  expect(place('cohort')).toBe(`/admin/cohorts/${ID}`);
  expect(place('course', 'course.letters')).toBe('/admin/content/course/course.letters');
  expect(place(null, ID, 'content.begin-import')).toBe(`/admin/content/folder/${ID}`);
  expect([place('community'), place('article', 'a-slug'), place(null)]).toEqual([undefined, undefined, undefined]);
});

test('links auditors to people only', () => {
  const place = (objectKind: string) => placeOfObject({ action: 'x.y', object: ID, objectKind }, false);
  expect([place('person'), place('cohort')]).toEqual([`/people/${ID}`, undefined]);
});
