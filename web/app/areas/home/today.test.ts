import { expect, it } from 'vitest';
import { dueOf } from './today.ts';

const NOW = new Date('2030-02-01T12:00:00Z');

const place = (slug: string, expiresOn: string | null, status: 'enrolled' | 'expired' = 'enrolled') => ({
  status,
  title: slug,
  course: { slug, title: slug, cover: null },
  expiresOn,
  dueOn: null as string | null, // or a due date set by a cohort
  validity: null as Parameters<typeof dueOf>[0][number]['validity'],
});

it('lists up to four enrolments that end, soonest first', () => {
  const days = ['2030-03-05', '2030-03-01', '2030-03-04', '2030-03-02', '2030-03-03'];
  expect(
    dueOf(
      days.map((day) => place(day, day)),
      NOW,
    ).map(({ title }) => title),
  ).toEqual(days.toSorted().slice(0, 4));
});

it('leaves out enrolments without an end, and ended ones', () => {
  expect(dueOf([place('open', null), place('over', '2020-01-01', 'expired')], NOW)).toEqual([]);
});

it('lists certificates to renew that a cohort asks for, instead of the due date of the first time', () => {
  const validity = (isRequired: boolean, renewal: 'closed' | 'open' | 'begun') => ({
    expiresAt: '2030-03-01T23:59:59.000Z',
    isExpired: false,
    isRequired,
    renewal,
  });
  const held = (slug: string, of: ReturnType<typeof validity>) => ({
    ...place(slug, null),
    dueOn: '2029-01-01',
    validity: of,
  });
  const due = dueOf(
    [
      held('required', validity(true, 'open')),
      held('begun', validity(false, 'begun')),
      held('voluntary', validity(false, 'open')),
      held('later', validity(true, 'closed')),
    ],
    NOW,
  );
  expect(due.map(({ title }) => title).toSorted()).toEqual(['begun', 'required']);
  expect(due[0]?.ending).toMatchObject({ validity: { expiresAt: '2030-03-01T23:59:59.000Z' } });
});
