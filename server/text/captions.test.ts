import { describe, expect, it } from 'vitest';
import { paragraphsOf, transcriptOf } from './captions.ts';

const CUE = '00:00.000 --> 00:01.000';

describe('transcriptOf', () => {
  it('returns what is said, without times, styles, comments and marks', () => {
    const captions = `\ufeffWEBVTT - a title

STYLE
::cue { color: red }

NOTE a comment
of two lines

1
00:00.000 --> 00:02.000 line:80%
<v Ana>Hello &amp; welcome.

00:00:02.000 --> 00:00:04.000
Hello &amp; welcome.
Today: <i>files</i>.
`;
    expect(transcriptOf(captions)).toEqual(['Hello & welcome. Today: files.']);
  });

  it('makes paragraphs of whole sentences', () => {
    const cue = (nth: number) =>
      `00:${String(nth).padStart(2, '0')}.000 --> 00:59.000\n${'word '.repeat(20)}${nth}.\n\n`;
    const paragraphs = transcriptOf(`WEBVTT\r\n\r\n${[1, 2, 3, 4, 5].map(cue).join('')}`);
    expect(paragraphs.map((paragraph) => paragraph.slice(-2))).toEqual(['3.', '5.']);
  });

  it('ends a paragraph without sentences after some thousand characters', () => {
    const cues = Array.from({ length: 500 }, (_, nth) => `00:00.000 --> 00:01.000\nword ${nth}\n\n`).join('');
    const paragraphs = transcriptOf(`WEBVTT\n\n${cues}`);
    expect(paragraphs.length).toBeGreaterThan(1);
    expect(paragraphs.join(' ').split(' ')).toHaveLength(1000);
  });

  it.each(['<', '<a', '<a>', '&', 'a ', '\t', 'a\nb\n', '1', '. ', '\r', '\n\n', '00:00.000 -->\t', '<!--'])(
    'needs little time for captions of %j again and again',
    (opening) => {
      const rest = opening.repeat((1024 * 1024) / opening.length);
      for (const captions of [`WEBVTT\n\n${CUE}\n${rest}`, `WEBVTT\n\n${rest}`, `WEBVTT\n\n${CUE}${rest}`]) {
        const start = performance.now();
        transcriptOf(captions);
        paragraphsOf(captions);
        expect(performance.now() - start).toBeLessThan(1000);
      }
    },
  );

  it('finds nothing in other text', () => {
    expect(transcriptOf('Hello')).toEqual([]);
    expect(transcriptOf('WEBVTT')).toEqual([]);
  });
});

it('paragraphsOf splits plain text at empty lines', () => {
  expect(paragraphsOf('a\r\nb\r\n\r\n\r\n c ')).toEqual(['a b', 'c']);
});
