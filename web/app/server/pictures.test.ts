import { expect, it } from 'vitest';
import { type PictureUse, showFromHere } from './pictures.ts';

const shownFrom = (address: string, use: PictureUse) => `/here/${use}?${address}`;
const shown = <T>(answer: T) => showFromHere(answer, shownFrom);

it('serves avatars, covers and pictures of texts from this site, wherever a reply contains them', () => {
  expect(
    shown({
      actor: { thumbnail: 'https://a.example/1', name: 'Ada' },
      profile: { image: { full: 'https://a.example/2', thumbnail: 'https://a.example/3' } },
      results: [{ coverImage: { url: 'https://a.example/4', width: 3 } }, { cover: { url: '/files/5', alt: 'x' } }],
      lesson: { bodyHtml: '<p><img src="https://a.example/6?a=1&amp;b=2" alt="x"> and <img src="/7" alt=""></p>' },
      rules: [{ html: '<img src="https://a.example/8" alt="">' }],
    }),
  ).toEqual({
    actor: { thumbnail: '/here/face?https://a.example/1', name: 'Ada' },
    profile: { image: { full: '/here/face?https://a.example/2', thumbnail: '/here/face?https://a.example/3' } },
    results: [
      { coverImage: { url: '/here/whole?https://a.example/4', width: 3 } },
      { cover: { url: '/here/whole?/files/5', alt: 'x' } },
    ],
    lesson: {
      bodyHtml:
        '<p><img src="/here/whole?https://a.example/6?a=1&#38;b=2" alt="x"> and <img src="/here/whole?/7" alt=""></p>',
    },
    rules: [{ html: '<img src="/here/whole?https://a.example/8" alt="">' }],
  });
});

it('leaves client data and values that forms send back unchanged', () => {
  const answer = () => ({
    body: 'Look: <img src="https://a.example/1"> ![x](https://a.example/2)',
    url: 'https://a.example/3',
    thumbnail: null,
    cover: null,
    additional_data: { thumbnail: 'https://a.example/4', html: '<img src="https://a.example/5">' },
    preview: { html: '<a href="https://a.example/6">x</a>' },
  });
  expect(shown(answer())).toEqual(answer());
  expect(shown(undefined)).toBeUndefined();
  expect(shown('https://a.example/')).toBe('https://a.example/');
});

it('escapes addresses inside attributes', () => {
  expect(shown({ html: '<img src="&quot;&gt;&lt;script&gt;" alt="">' })).toEqual({
    html: '<img src="/here/whole?&#34;&#62;&#60;script&#62;" alt="">',
  });
});
