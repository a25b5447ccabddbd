import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it, test } from 'vitest';
import { cleanAttributes, isAllowedTag, isSafeUrl } from './allow-list.ts';
import { findRegions } from './markdown-regions.ts';
import { blankOut } from './markup-plan.ts';
import { removeComments, sanitiseRichText, stripMarkup } from './sanitise.ts';
import { XSS_CORPUS } from './xss-corpus.ts';

const data = new URL('../../../shared/data/', import.meta.url);

/** Every tag that a parser finds outside code in the stored source. */
function tagsOf(source: string): { name: string; attributes: Record<string, string> }[] {
  const tags: { name: string; attributes: Record<string, string> }[] = [];
  const masked = blankOut(source, findRegions(source).code).replace(
    // Markdown addresses in angle brackets have no attributes.
    /<(?=[a-z]+:|[^\s<>@]+@)|(?<=\]\(|\]:[ \t]*)<(?=[^<>=\n]*[^<>=\n\w-][^<>=\n]*>)/gi,
    '.',
  );
  const parser = new Parser({
    onopentag: (name, attributes, implied) => void (implied || tags.push({ name, attributes })),
  });
  parser.end(masked);
  return tags;
}

function expectClean(source: string) {
  for (const { name, attributes } of tagsOf(source)) {
    expect(isAllowedTag(name), `<${name}> in ${source}`).toBe(true);
    expect(cleanAttributes(name, attributes)).toEqual(attributes);
  }
}

/** Generates fragments that combine into hostile markup. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '/>',
        '"',
        "'",
        '`',
        '```\n',
        '\n',
        '\n\n',
        ' ',
        '    ',
        '\t',
        '=',
        '&',
        '\\',
        '|',
        '-',
        '#',
        '- ',
      ),
      fc.constantFrom(
        '<b>',
        '</b>',
        '<div>',
        '</div>',
        '<script>',
        '</script>',
        '<xmp>',
        '<svg>',
        '<title>',
        '<p ',
        '<img src=x ',
        '<pre>',
      ),
      fc.constantFrom(
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<?',
        '<!x',
        'onclick=',
        'href="',
        'javascript:',
        '](',
        '[a]: ',
        '[x](',
        ')',
        '&lt;',
        '&#60;',
      ),
      fc.constantFrom(
        'script',
        'x',
        'é',
        '\u0000',
        '\ud800',
        '> ',
        '1. ',
        '|---|\n',
        '~~~\n',
        '<https://a.example>',
        '&colon;',
      ),
      fc.constantFrom(...XSS_CORPUS),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));

describe('sanitiseRichText', () => {
  test.each([
    'a < b & c > "d" it\'s <3 x<=y -> <- <<',
    'Hello {{0190a8b2-1111-7222-8333-444455556666}} and {{ "/methods/" | url }} {% if x < y %}',
    '&egrave; &amp; &lt;b&gt; &nbsp; AT&T',
    'if a <b then c',
    '`<script>` and ``a ` <b onclick=x>``',
    '```html\n<script>alert(1)</script>\n```\n\n    <div onclick=x>\n',
    '> ```\n> <svg>\n> ```',
    '| `<i>` | b |\n|---|---|\n| a | `<u>` |',
    '<https://a.example/?x=1&y=2> <me@a.example> [x](<my file.md>) [y](https://a.example "t")',
    '[r]\n\n[r]: <https://a.example> "t"',
    '<p>x <b>y</b><br></p>\n\n# T\n\n* a\n* b\n',
    'line one  \r\nline two\r\n\r\n\tcode\r\n',
  ])('keeps %j byte for byte', (source) => expect(sanitiseRichText(source)).toBe(source));

  test.each([
    ['**<b class=x>hi</B>**', '**<b>hi</b>**'],
    ['<span lang=fr onclick=x>é</span>', '<span lang="fr">é</span>'],
    ['<a href="/x?a=1&b=2" target=_blank>k</a>', '<a href="/x?a=1&amp;b=2">k</a>'],
    ['<section>\n# T\n</section>', '\n# T\n'],
    ['<div>\n    <p>x</p>\n</div>', '\n<p>x</p>\n'],
    ['x <script>alert(1)</script> y', 'x  y'],
    ['How the <title> element works', 'How the  element works'],
    ['a <!-- note --> b', 'a  b'],
    ['a <!-- open', 'a &lt;!-- open'],
    ['<img src=x onerror=alert(1)', '&lt;img src=x onerror=alert(1)'],
    ['<div foo\n\nSome text.\n\n> quote', '&lt;div foo\n\nSome text.\n\n> quote'],
    ['[x](javascript:alert(1)) [y](java&Tab;script&colon;alert(1) "t")', '[x](#) [y](# "t")'],
    ['\\<script>alert(1)</script>', '&lt;script>alert(1)'],
    ['a\u0000b\u0007c', 'abc'],
    ['[x](<onclick=-->', '[x]('],
    ['<td align=center colspan=2 width=3>x</td>', '<td align="center" colspan="2">x</td>'],
  ])('turns %j into %j', (source, clean) => expect(sanitiseRichText(source)).toBe(clean));

  test.each(XSS_CORPUS)('disarms %j', (source) => {
    const clean = sanitiseRichText(source);
    expectClean(clean);
    expect(sanitiseRichText(clean)).toBe(clean);
  });

  it('is idempotent and leaves only allowed tags for arbitrary input', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        const clean = sanitiseRichText(source);
        expect(sanitiseRichText(clean)).toBe(clean);
        expectClean(clean);
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves text without brackets unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        // oxlint-disable-next-line no-control-regex
        const plain = text.replace(/[<\u0000-\u001f\u007f[\]]/g, '');
        expect(sanitiseRichText(plain)).toBe(plain);
      }),
    );
  });

  test.each([
    '<',
    '<a ',
    '<!-- ',
    '](',
    '[a]: ',
    '<a b="',
    '<b>',
    '<svg>',
    '\\<b ',
    '`',
    '<x@',
    '<<x>',
    '<title>',
    '&lt;',
    '|`',
    '</',
    '<div>\n\n',
  ])('processes 64 KiB of %j within the time limit', (piece) => {
    const source = piece.repeat(Math.floor(65_536 / piece.length));
    const start = performance.now();
    sanitiseRichText(source);
    stripMarkup(source);
    removeComments(source);
    expect(performance.now() - start).toBeLessThan(10_000); // quadratic time would take minutes
  });
});

describe('stripMarkup', () => {
  test.each([
    ['<b>Bold</b> title', 'Bold title'],
    ['AT&amp;T & co, a < b', 'AT&amp;T & co, a < b'],
    ['&lt;script&gt;', '&lt;script&gt;'],
    ['x <script>alert(1)</script>y', 'x y'],
    ['How the <title> element works', 'How the  element works'],
    ['<img src=x onerror=alert(1)', 'img src=x onerror=alert(1)'],
    ['  \u202eevil\u202c\u0007 ', 'evil'],
    ['two\nlines', 'two lines'],
    ['e\u0301', 'é'],
    ['Łukasz 웃 L ツ', 'Łukasz 웃 L ツ'],
    ['`code` *stays*', '`code` *stays*'],
  ])('turns %j into %j', (source, plain) => expect(stripMarkup(source)).toBe(plain));

  it('keeps lines with `multiline`', () => expect(stripMarkup('a\r\n<b>b</b>\n', { multiline: true })).toBe('a\nb'));

  it('is idempotent and leaves no tags', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        const plain = stripMarkup(source);
        expect(stripMarkup(plain)).toBe(plain);
        const tags: string[] = [];
        const parser = new Parser({ onopentag: (name) => void tags.push(name) });
        parser.end(plain);
        expect(tags).toEqual([]);
        expect(plain).not.toMatch(/<!--[^]*-->/);
      }),
      { numRuns: 3000 },
    );
  });
});

test('removeComments removes comments and leaves code', () => {
  expect(removeComments('a <!-- x\n\ny --> b `<!-- k -->` <!-- z')).toBe('a  b `<!-- k -->` <!-- z');
});

test('isSafeUrl accepts allowed schemes and relative addresses', () => {
  for (const url of [
    '/x',
    'x/y',
    '#a',
    '?a=b:c',
    'https://a.example',
    'HTTP://a.example',
    'mailto:a@b.example',
    'a/b:c',
  ])
    expect(isSafeUrl(url, 'link'), url).toBe(true);
  for (const url of [
    '//a.example',
    '/\\a.example',
    'javascript:x',
    'a:b',
    'tel:1',
    'file:///x',
    ' java\nscript:x',
    'blob:x',
  ])
    expect(isSafeUrl(url, 'link'), url).toBe(false);
  expect(isSafeUrl('mailto:a@b.example', 'image')).toBe(false);
});

describe.runIf(existsSync(data))('real texts', () => {
  it('changes only tags and line ends of Stack Exchange posts', () => {
    const bodies = postHistory();
    expect(bodies).toHaveLength(87);
    let unchanged = 0;
    for (const body of bodies) {
      const clean = sanitiseRichText(body);
      expectClean(clean);
      expect(sanitiseRichText(clean)).toBe(clean);
      if (clean === body) unchanged++;
      // The words never change.
      expect(stripMarkup(clean).replace(/\s+/g, ' ')).toBe(stripMarkup(body).replace(/\s+/g, ' '));
    }
    expect(unchanged).toBeGreaterThan(80);
  });

  it('leaves template text in articles as typed', () => {
    for (const article of articles()) {
      const clean = sanitiseRichText(article);
      expectClean(clean);
      expect(sanitiseRichText(clean)).toBe(clean);
    }
    const print = readFileSync(new URL('richtext-contentful/real-world.md', data), 'utf8');
    expect(sanitiseRichText(print)).not.toContain('<div');
  });
});

function postHistory(): string[] {
  const xml = readFileSync(new URL('community-se-meta-beer/PostHistory.xml', data), 'utf8');
  const bodies: string[] = [];
  const parser = new Parser(
    {
      onopentag(name, row) {
        if (name === 'row' && ['2', '5'].includes(row.PostHistoryTypeId ?? '')) bodies.push(row.Text ?? '');
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return bodies;
}

function articles(): string[] {
  const root = new URL('articles-18f-guides/content/', data);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(new URL(name, root), 'utf8'));
}
