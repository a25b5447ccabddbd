import { expect, test } from 'vitest';
import { pollOf, toPollFormIssues } from './write.ts';

function form(values: Record<string, string>): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
}

test('skips empty options and renumbers the others', () => {
  const { options } = pollOf(form({ option1: 'Yes', option2: ' ', option4: 'No' }));
  expect(options).toEqual([
    { position: 1, body: 'Yes' },
    { position: 2, body: 'No' },
  ]);
});

test('counts the deadline from now; without one the poll stays open', () => {
  expect(pollOf(form({ deadline: '1' }), 0).settings.deadline_at).toBe('1970-01-02T00:00:00.000Z');
  expect(pollOf(form({ deadline: '0' }), 0).settings.deadline_at).toBeNull();
});

test('shows an issue at the field it concerns', () => {
  const fields = form({ option1: 'Yes', option4: 'Yes' });
  expect(toPollFormIssues([{ path: 'options.1.body', message: 'Body is duplicated.' }], fields)).toEqual([
    { path: 'option4', message: 'Body is duplicated.' },
  ]);
});
