import { expect, it } from 'vitest';
import { pictureAddresses, replacePictures } from './picture-links.ts';

it('finds pictures in Markdown and in HTML', () => {
  const text = '![a [b](images/one.png) ![x](<two.png>)\n![](three.png "Title") <img alt="x" src="four.png">';
  expect(pictureAddresses(text)).toEqual(['images/one.png', 'two.png', 'three.png', 'four.png']);
});

it('replaces addresses in Markdown only', () => {
  expect(replacePictures('![a](one.png) <img src="one.png">', () => 'two.png')).toBe(
    '![a](two.png) <img src="one.png">',
  );
});

it.each(['![', '![](', '![]( ', '<img ', '![a](b', '<img src'])('reads 64 KiB of %j in linear time', (opening) => {
  const text = opening.repeat(Math.floor(65_536 / opening.length));
  const started = process.cpuUsage();
  pictureAddresses(text);
  const { user } = process.cpuUsage(started);
  expect(user / 1000).toBeLessThan(1000);
});
