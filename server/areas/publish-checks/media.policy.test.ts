import { expect, it, test } from 'vitest';
import { findMissingFiles } from './media.policy.ts';
import { checkText } from './publish-check.policy.ts';

test.each([
  ['::video[A]{src=media/a.mp4}', ['1 video-captions must A']],
  ['::video[A]{src=media/a.mp4 captions-fr=media/a.vtt}', []],
  ['a\n\n::audio{src=media/a.mp3}', ['3 audio-transcript must media/a.mp3']],
  ['::audio[A]{src=media/a.mp3 transcript=media/a.txt}', []],
  ['::file[A]{src=media/a.pdf}', []],
  ['```\n::video[A]{src=media/a.mp4}\n```', []],
])('names recordings without words in %j', (source, expected) => {
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
