import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { capitals } from './fake-say.ts';
import { translateMarkdown } from './markdown.ts';
import { bonesOf } from './markdown-bones.ts';
import { UnfaithfulAnswer } from './passages.ts';

const UUID = '0190a1b2-0000-7000-8000-000000000000';
const loud = async (source: string) => await translateMarkdown(source, capitals);

describe('translateMarkdown', () => {
  it.each([
    ['plain words', 'PLAIN WORDS'],
    ['# A title #\n\ntext', '# A TITLE #\n\nTEXT'],
    ['A title\n===\n\n- one\n- two\n  1. three', 'A TITLE\n===\n\n- ONE\n- TWO\n  1. THREE'],
    ['> quoted\n> text\n>\n> - item', '> QUOTED TEXT\n>\n> - ITEM'],
    ['one  \ntwo\\\nthree', 'ONE\\\nTWO\\\nTHREE'],
    ['> one  \n> two', '> ONE\\\n> TWO'],
    ['a **bold** and *soft* and ~~gone~~ word', 'A **BOLD** AND *SOFT* AND ~~GONE~~ WORD'],
    ['run `npm ci` now', 'RUN `npm ci` NOW'],
    ['```js\nlet a\n```\n\nsaid', '```js\nlet a\n```\n\nSAID'],
    ['    indented code\n\nsaid', '    indented code\n\nSAID'],
    ['see [the *plan*](https://a.org/x_y "t") today', 'SEE [THE *PLAN*](https://a.org/x_y "t") TODAY'],
    ['see [ref][1] now\n\n[1]: https://a.org/z', 'SEE [REF](https://a.org/z) NOW\n\n[1]: https://a.org/z'],
    ['go to https://a.org/path_x, or <https://b.org>.', 'GO TO https://a.org/path_x, OR <https://b.org>.'],
    [`ask {{${UUID}}} today`, `ASK {{${UUID}}} TODAY`],
    ['mail ana@example.org or @ana about #budget', 'MAIL ana@example.org OR @ana ABOUT #budget'],
    ['![a dog](https://a.org/d.png) runs', '![A DOG](https://a.org/d.png) RUNS'],
    ['| a | b |\n|---|---|\n| one `x` | two \\| three |', '| A | B |\n|---|---|\n| ONE `x` | TWO \\| THREE |'],
    ['<aside>\nwords &eacute; &amp; more\n</aside>\n\nafter', '<aside>\nWORDS &eacute; &amp; MORE\n</aside>\n\nAFTER'],
    ['tom &amp; `a` <sub>low</sub> 3 < 4', 'TOM & `a` <sub>LOW</sub> 3 < 4'],
    ['2\\. not a list', '2\\. NOT A LIST'],
    ['snake_case and \\*stars\\*', 'SNAKE_CASE AND \\*STARS\\*'],
    ['7\n\n---\n\n12:30', '7\n\n---\n\n12:30'],
    ['one\r\ntwo', 'ONE TWO'],
    ['', ''],
  ])('translates %j', async (source, expected) => {
    expect(await loud(source)).toBe(expected);
  });

  it('takes words in another order, and marks where no language of signs could put them', async () => {
    const source = 'Read **this** and [that](https://a.org) `now`.';
    const turned = await translateMarkdown(source, async (texts) =>
      texts.map(() => '<x id="3"/> <g id="2">それ</g>を<g id="1">「これ」</g>です。'),
    );
    expect(turned).toBe('`now` [それ](https://a.org)を<strong>「これ」</strong>です。');
    expect(bonesOf(turned)).toBe(bonesOf(source));
  });

  it.each<[string, string]>([
    ['loses a mark', 'Read this and that.'],
    ['doubles one', 'Read <g id="1">this</g> <g id="1">this</g> <g id="2">that</g>'],
    ['closes in no order', 'Read <g id="1">this <g id="2">that</g>'],
    ['empties one', 'Read <g id="1"> </g> <g id="2">that</g>'],
    ['makes one up', 'Read <g id="1">this</g> <g id="2">that</g> <x id="9"/>'],
  ])('goes stretch by stretch where an engine %s', async (_, spoilt) => {
    const asked: string[][] = [];
    const answer = await translateMarkdown('Read **this** and [that](https://a.org).', async (texts) => {
      asked.push(texts);
      return asked.length === 1 ? [spoilt] : await capitals(texts);
    });
    expect(answer).toBe('READ **THIS** AND [THAT](https://a.org).');
    expect(asked).toEqual([['Read <g id="1">this</g> and <g id="2">that</g>.'], ['Read', 'this', 'and', 'that']]);
  });

  it('does not let an engine write Markdown or HTML', async () => {
    const evil = '# [x](https://evil.org) <script>alert(1)</script> **b** `c` <img src=x onerror=y> https://evil.org';
    await expect(translateMarkdown('Harmless words', async (texts) => texts.map(() => evil))).rejects.toThrow(
      UnfaithfulAnswer,
    );
    const tame = '# [x](https//evil) <script>alert(1)</script> **b** `c`';
    const written = await translateMarkdown('Harmless words', async (texts) => texts.map(() => tame));
    expect(bonesOf(written)).toBe(bonesOf('Harmless words'));
  });

  it('refuses fewer, empty or endless answers', async () => {
    await expect(translateMarkdown('one\n\ntwo', async () => ['one'])).rejects.toThrow(UnfaithfulAnswer);
    for (const answer of [' ', 'word '.repeat(100)])
      await expect(translateMarkdown('one', async (texts) => texts.map(() => answer))).rejects.toThrow(
        UnfaithfulAnswer,
      );
  });

  it('keeps the form of whole lessons and articles', async () => {
    const files = globSync('demo/**/*.md', { exclude: (name) => name.includes('node_modules') });
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const [, , source = ''] = /^(---\n[\s\S]*?\n---\n)?([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
      const translated = await loud(source);
      expect([file, bonesOf(translated)]).toEqual([file, bonesOf(source)]);
      expect([file, translated.length > source.length * 0.9]).toEqual([file, true]);
    }
  });
});
