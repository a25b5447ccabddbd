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

test('links people, cohorts and imports to their pages', () => {
  expect([placeOfActor(ID), placeOfActor('service:hr')]).toEqual([`/people/${ID}`, undefined]);
  expect(placeOfObject('admin.update-cohort', ID)).toBe(`/admin/cohorts/${ID}`);
  expect(placeOfObject('content.begin-import', ID)).toBe(`/admin/content/folder/${ID}`);
  expect(placeOfObject('admin.set-permission', ID)).toBeUndefined();
  expect(placeOfObject('admin.update-cohort', 'x')).toBeUndefined();
});
