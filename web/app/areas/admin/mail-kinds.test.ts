import { readMessages } from '@officium/i18n/catalogue';
import { expect, it } from 'vitest';

it('has plain words for every kind of mail', () => {
  const messages = readMessages('en');
  const kinds = Object.keys(messages).flatMap((key) => /^mail\.([a-z_]+)\.subject$/.exec(key)?.[1] ?? []);
  expect(kinds.length).toBeGreaterThan(10);
  expect(kinds.filter((kind) => !Object.hasOwn(messages, `admin.operations_mail_kind_${kind}`))).toEqual([]);
});
