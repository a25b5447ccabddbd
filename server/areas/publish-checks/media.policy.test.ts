import { expect, it, test } from 'vitest';
import { findLeftOutTranscripts, findMissingFiles } from './media.policy.ts';
import { checkText } from './publish-check.policy.ts';

test.each([
  ['::video[A]{src=media/a.mp4}', ['1 video-captions must A']],
  ['::video[A]{src=media/a.mp4 captions-fr=media/a.vtt}', []],
  ['a\n\n::audio{src=media/a.mp3}', ['3 audio-transcript must media/a.mp3']],
  ['::audio[A]{src=media/a.mp3 transcript=media/a.txt}', []],
  ['::file[A]{src=media/a.pdf}', []],
  ['::embed[A]{src=https://vimeo.com/76979871}', []],
  ['::embed{src=https://vimeo.com/76979871}', ['1 block-title must :::embed']],
  ['::embed[A]{src=https://example.org/1}', ['1 block-setting should src=https://example.org/1']],
  ['```\n::video[A]{src=media/a.mp4}\n```', []],
])('names what recordings and videos lack in %j', (source, expected) => {
  const found = checkText(source, 'en').map(({ line, rule, severity, text }) => `${line} ${rule} ${severity} ${text}`);
  expect(found).toEqual(expected);
});

it('names files that are not there', () => {
  const source = '::video[A]{src=a.mp4 captions-en=a.vtt}\n\n::file[B]{src=b.pdf}';
  expect(findMissingFiles(source, (path) => path === 'a.mp4')).toEqual([
    { rule: 'file-missing', severity: 'should', line: 1, text: 'a.vtt' },
    { rule: 'file-missing', severity: 'should', line: 3, text: 'b.pdf' },
  ]);
});

it('names the recordings whose transcript is left out', () => {
  const use = '::audio{src=media/a.mp3 transcript=media/a.vtt}\n\n';
  const captions = '::video{src=media/a.mp4 captions-fr=media/a.vtt captions-de=media/short.vtt}';
  const bytesOf = (path: string) => (path === 'media/a.vtt' ? 500_000 : path === 'media/short.vtt' ? 5 : undefined);
  const found = findLeftOutTranscripts(`${use.repeat(3)}${captions}`, 'en', bytesOf);
  expect(found.map(({ line }) => line)).toEqual([5, 7]);
  expect(findLeftOutTranscripts(`${use.repeat(2)}${captions}`, 'de', bytesOf)).toEqual([]);
});
