import { expect, test } from 'vitest';
import { linkMentions } from './mentions.ts';

const ADA = '018f4e2a-7c1d-7e2b-9a3c-1f2e3d4c5b6a';
const people = { [ADA]: 'Ada <b>' };

test('turns a mention into a link with the name escaped', () => {
  expect(linkMentions(`<p>Hi {{${ADA.toUpperCase()}}}</p>`, people, 'unknown')).toBe(
    `<p>Hi <a class="mention" href="/people/${ADA}">@<bdi>Ada &lt;b&gt;</bdi></a></p>`,
  );
});

test('marks a mention of an unknown user', () => {
  expect(linkMentions(`{{${ADA}}}`, {}, 'unknown')).toBe('@unknown');
});

test('leaves attributes alone and nests no links', () => {
  const html = `<a href="/{{${ADA}}}">{{${ADA}}}</a>`;
  expect(linkMentions(html, people, 'unknown')).toBe(`<a href="/{{${ADA}}}">@<bdi>Ada &lt;b&gt;</bdi></a>`);
});

test('keeps other braces', () => {
  expect(linkMentions('{{ hello }}', people, 'unknown')).toBe('{{ hello }}');
});
