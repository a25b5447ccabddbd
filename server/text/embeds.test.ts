import { expect, it, test } from 'vitest';
import { isAllowedEmbed, readEmbed } from './embeds.ts';

const NOCOOKIE = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', NOCOOKIE],
  ['https://m.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&t=90s', `${NOCOOKIE}?start=90`],
  ['https://youtu.be/dQw4w9WgXcQ?t=5', `${NOCOOKIE}?start=5`],
  ['https://www.youtube.com/shorts/dQw4w9WgXcQ', NOCOOKIE],
  ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', NOCOOKIE],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
  ['https://vimeo.com/76979871/8272103f6e', 'https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e'],
  [
    'https://video.example.org/w/kkGMgK9ZtnKfYAgnEtQxbv',
    'https://video.example.org/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv?p2p=0',
  ],
])('reads %s', (address, player) => {
  expect(readEmbed(address)?.player).toBe(player);
});

test.each([
  'http://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com.example.org/watch?v=dQw4w9WgXcQ',
  'https://user@www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v=../../evil?',
  'https://www.youtube.com/redirect?q=https://example.org',
  'https://vimeo.com/a"onload=x',
  'https://example.org/page',
  'javascript:alert(1)',
  '//youtube.com/watch?v=dQw4w9WgXcQ',
  '',
])('reads no player in %s', (address) => {
  expect(readEmbed(address)).toBeUndefined();
});

it('allows PeerTube instances by their exact name', () => {
  const embed = readEmbed('https://video.example.org/w/kkGMgK9ZtnKfYAgnEtQxbv')!;
  expect(isAllowedEmbed(embed, ['video.example.org'])).toBe(true);
  expect(isAllowedEmbed(embed, ['example.org'])).toBe(false);
  expect(isAllowedEmbed(readEmbed('https://vimeo.com/76979871')!, [])).toBe(true);
});
