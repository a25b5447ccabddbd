import { expect, it } from 'vitest';
import { isForAnother, readPushed } from './push.ts';

const MESSAGE = { id: 'n1', title: 'Officium', body: 'رد عليك', lang: 'ar', dir: 'rtl', path: '/communities/x' };

it('shows a message in its language and direction, once', () => {
  expect(readPushed(JSON.stringify(MESSAGE))).toMatchObject({
    title: 'Officium',
    options: { body: 'رد عليك', lang: 'ar', dir: 'rtl', tag: 'n1', data: { path: '/communities/x' } },
  });
});

it.each(['//evil.example', 'https://evil.example', 'javascript:alert(1)', ''])(
  'opens no address but our own: %s',
  (path) => {
    expect(readPushed(JSON.stringify({ ...MESSAGE, path }))?.options.data.path).toBe('/');
  },
);

it.each([undefined, '', 'no JSON', '[]', 'null', '{"title":1}'])('ignores %s', (text) => {
  expect(readPushed(text)).toBeUndefined();
});

it('belongs to another person only when somebody else is signed in', () => {
  expect(isForAnother('a', 'b')).toBe(true);
  for (const [shows, person] of [
    ['a', 'a'],
    ['a', ''],
    [undefined, 'b'],
  ] as const)
    expect(isForAnother(shows, person)).toBe(false);
});
