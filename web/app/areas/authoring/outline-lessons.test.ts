import { expect, test } from 'vitest';
import { changedLessons, fieldsOf, isMinutes, shownAs } from './outline-lessons.ts';

function form(lessons: Record<string, { was: string; minutes: string; isOn: boolean }>): FormData {
  const fields = new FormData();
  for (const [key, { was, minutes, isOn }] of Object.entries(lessons)) {
    const names = fieldsOf(key);
    fields.set(names.was, was);
    fields.set(names.minutes, minutes);
    if (isOn) fields.set(names.mandatory, 'on');
  }
  return fields;
}

test('only changed lessons are saved, so that the change of another author stays', () => {
  const was = shownAs({ minutes: 5, mandatory: true });
  const fields = form({
    same: { was, minutes: ' 5 ', isOn: true },
    longer: { was, minutes: '12', isOn: true },
    optional: { was, minutes: '5', isOn: false },
    emptied: { was: shownAs({ minutes: 0, mandatory: false }), minutes: '', isOn: false },
  });
  expect(changedLessons(fields)).toEqual([
    { key: 'longer', minutes: '12', mandatory: true },
    { key: 'optional', minutes: '5', mandatory: false },
  ]);
});

test('minutes are whole numbers up to ten thousand', () => {
  expect(['0', '45', '10000'].every(isMinutes)).toBe(true);
  expect(['-1', '1.5', '10001', 'ten', ''].some(isMinutes)).toBe(false);
});
