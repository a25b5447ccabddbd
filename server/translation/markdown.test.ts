import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { capitals } from './fake-translation.ts';
import { translateMarkdown } from './markdown.ts';
import { structureOf } from './markdown-structure.ts';
import { UnfaithfulAnswer } from './passages.ts';

const UUID = '0190a1b2-0000-7000-8000-000000000000';
const toCapitals = async (source: string) => await translateMarkdown(source, capitals);

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
    ['so $$a_1 * b_2$$ holds', 'SO $$a_1 * b_2$$ HOLDS'],
    ['$$\nx^2\n$$\n\nsaid', '$$\nx^2\n$$\n\nSAID'],
    ['- [ ] one\n- [x] two', '- [ ] ONE\n- [x] TWO'],
    [
      ':::callout[Mind *the* \\[gap\\]]{kind=tip}\nsome **words**\n:::\n\nafter',
      ':::callout[MIND *THE* \\[GAP\\]]{kind=tip}\nSOME **WORDS**\n:::\n\nAFTER',
    ],
    [
      '> :::quiz{#one type=choice}\n> which one?\n>\n> - [x] this\n>   > because\n> - [ ] that\n>\n> > in general\n> :::',
      '> :::quiz{#one type=choice}\n> WHICH ONE?\n>\n> - [x] THIS\n>   > BECAUSE\n> - [ ] THAT\n>\n> > IN GENERAL\n> :::',
    ],
    [
      ':::quiz[two]{type=text hint="think \\"twice\\"" answer="yes|no"}\nwhich?\n:::',
      ':::quiz[TWO]{type=text hint="THINK \\"TWICE\\"" answer="yes|no"}\nWHICH?\n:::',
    ],
    [':::quiz{type=gaps hint=think}\nin [1]\n\n1. x\n:::', ':::quiz{type=gaps hint="THINK"}\nIN \\[1\\]\n\n1. X\n:::'],
    [':::quiz{type=text answer="yes|no"}\nwhich?\n:::', ':::quiz{type=text answer="yes|no"}\nWHICH?\n:::'],
    ['2\\. not a list', '2\\. NOT A LIST'],
    ['snake_case and \\*stars\\*', 'SNAKE_CASE AND \\*STARS\\*'],
    ['7\n\n---\n\n12:30', '7\n\n---\n\n12:30'],
    ['one\r\ntwo', 'ONE TWO'],
    ['', ''],
  ])('translates %j', async (source, expected) => {
    expect(await toCapitals(source)).toBe(expected);
  });

  it('accepts reordered words, and emphasis in positions that Markdown cannot express', async () => {
    const source = 'Read **this** and [that](https://a.org) `now`.';
    const turned = await translateMarkdown(source, async (texts) =>
      texts.map(() => '<x id="3"/> <g id="2">それ</g>を<g id="1">「これ」</g>です。'),
    );
    expect(turned).toBe('`now` [それ](https://a.org)を<strong>「これ」</strong>です。');
    expect(structureOf(turned)).toBe(structureOf(source));
  });

  it.each<[string, string]>([
    ['loses a mark', 'Read this and that.'],
    ['duplicates a mark', 'Read <g id="1">this</g> <g id="1">this</g> <g id="2">that</g>'],
    ['nests marks wrongly', 'Read <g id="1">this <g id="2">that</g>'],
    ['empties a mark', 'Read <g id="1"> </g> <g id="2">that</g>'],
    ['adds a mark', 'Read <g id="1">this</g> <g id="2">that</g> <x id="9"/>'],
  ])('translates the runs of words separately when an engine %s', async (_, spoilt) => {
    const asked: string[][] = [];
    const answer = await translateMarkdown('Read **this** and [that](https://a.org).', async (texts) => {
      asked.push(texts);
      return asked.length === 1 ? [spoilt] : await capitals(texts);
    });
    expect(answer).toBe('READ **THIS** AND [THAT](https://a.org).');
    expect(asked).toEqual([['Read <g id="1">this</g> and <g id="2">that</g>.'], ['Read', 'this', 'and', 'that']]);
  });

  it('escapes Markdown and HTML that an engine returns', async () => {
    const evil = '# [x](https://evil.org) <script>alert(1)</script> **b** `c` <img src=x onerror=y> https://evil.org';
    await expect(translateMarkdown('Harmless words', async (texts) => texts.map(() => evil))).rejects.toThrow(
      UnfaithfulAnswer,
    );
    const tame = '# [x](https//evil) <script>alert(1)</script> **b** `c`';
    const written = await translateMarkdown('Harmless words', async (texts) => texts.map(() => tame));
    expect(structureOf(written)).toBe(structureOf('Harmless words'));
  });

  it('rejects missing, empty or overlong answers', async () => {
    await expect(translateMarkdown('one\n\ntwo', async () => ['one'])).rejects.toThrow(UnfaithfulAnswer);
    for (const answer of [' ', 'word '.repeat(100)])
      await expect(translateMarkdown('one', async (texts) => texts.map(() => answer))).rejects.toThrow(
        UnfaithfulAnswer,
      );
  });

  it('keeps the structure of whole lessons and articles', async () => {
    const files = globSync('demo/**/*.md', { exclude: (name) => name.includes('node_modules') });
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const [, , source = ''] = /^(---\n[\s\S]*?\n---\n)?([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
      const translated = await toCapitals(source);
      expect([file, structureOf(translated)]).toEqual([file, structureOf(source)]);
      expect([file, translated.length > source.length * 0.9]).toEqual([file, true]);
    }
  });
});
