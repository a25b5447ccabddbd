import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { expectSafe } from '../test/safe-html.ts';
import { linkMedia } from './media-links.ts';
import { markdownToPlainText, nestingDepth, renderMarkdown, type RenderOptions } from './markdown.ts';
import { extractMentions } from './mentions.ts';
import { XSS_CORPUS } from './xss-corpus.ts';

const data = new URL('../../../shared/data/', import.meta.url);
const html = (source: string, options?: RenderOptions) => renderMarkdown(source, options).html;

const everything: RenderOptions = {
  resolveImage: (src) => (src.startsWith('x') ? `/files/${src}` : undefined),
  resolveMention: () => ({ name: '<b>"Ann"', href: '/people/1' }),
  headingAnchors: true,
  headingShift: 1,
  liftTitle: true,
  tableLabel: 'Table "1"',
};

it.each(['<video>', '<video></video>', '<iframe src=//a></iframe>', '<p><audio>'])(
  'replaces many recordings in linear time: %s',
  (element) => {
    const before = process.cpuUsage().user;
    linkMedia(element.repeat(Math.floor(500_000 / element.length)));
    expect(process.cpuUsage().user - before).toBeLessThan(3_000_000);
  },
);

describe('renderMarkdown', () => {
  test.each(XSS_CORPUS)('renders %j safely', (source) => {
    expectSafe(html(source));
    expectSafe(html(source, everything));
  });

  it('renders only allowed markup for arbitrary input', () => {
    const piece = fc.oneof(
      fc.constantFrom(...XSS_CORPUS),
      fc.constantFrom(
        '\n\n',
        '`',
        '<',
        '>',
        '"',
        '# ',
        '- ',
        '> ',
        '![a](x)',
        '{{0190a8b2-1111-7222-8333-444455556666}}',
        '<p title="',
        '|a|\n|-|\n',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => expectSafe(html(pieces.join(''), everything))),
      { numRuns: 1500 },
    );
  });

  it('decodes entities once', () => {
    expect(html('caff&egrave; &amp;egrave; AT&T <b>&egrave;</b>')).toBe(
      '<p>caffè &amp;egrave; AT&amp;T <b>è</b></p>\n',
    );
  });

  it('adds link relations and links bare addresses, but not file names', () => {
    const rel = 'rel="nofollow ugc noopener"';
    expect(html('[a](/b) https://c.example www.d.example README.md')).toBe(
      `<p><a href="/b" ${rel}>a</a> <a href="https://c.example" ${rel}>https://c.example</a> ` +
        `<a href="https://www.d.example" ${rel}>www.d.example</a> README.md</p>\n`,
    );
  });

  it('removes comments, even across several paragraphs', () => {
    expect(html('<!-- a -->\n# T\n\nx <!-- b\n\nc --> y')).toBe('<h1>T</h1>\n<p>x  y</p>\n');
  });

  it('adds ids to headings and paragraphs and adjusts links to them', () => {
    const { html: rendered, headings } = renderMarkdown(
      '# Élan vital!\n\nGo [there](#élan-vital).\n\n## Élan vital\n\n## مرحبا',
      {
        headingAnchors: true,
      },
    );
    expect(headings).toEqual([
      { level: 1, id: 's-élan-vital', text: 'Élan vital!' },
      { level: 2, id: 's-élan-vital-2', text: 'Élan vital' },
      { level: 2, id: 's-مرحبا', text: 'مرحبا' },
    ]);
    expect(rendered).toContain('<p id="p-1">Go <a href="#s-élan-vital"');
    expect(rendered).toContain('<h2 id="s-élan-vital-2">');
  });

  it('writes ids only on request and drops ids the author wrote', () => {
    expect(html('# T\n\n<p id="p-1" name="x">y</p>')).toBe('<h1>T</h1>\n<p>y</p>');
  });

  it('lifts the first level-1 heading and shifts the others', () => {
    expect(renderMarkdown('## A\n\n# B & *c*\n\n# D\n\n###### E', { liftTitle: true, headingShift: 1 })).toEqual({
      html: '<h3>A</h3>\n<h2>D</h2>\n<h6>E</h6>\n',
      headings: [
        { level: 3, id: 's-a', text: 'A' },
        { level: 2, id: 's-d', text: 'D' },
        { level: 6, id: 's-e', text: 'E' },
      ],
      title: 'B & c',
    });
    expect(renderMarkdown('## A', { liftTitle: true })).not.toHaveProperty('title');
  });

  it('shows the alternative text of images it cannot resolve', () => {
    expect(html('![a "b"](https://c.example/d.png) <img src=e.png alt="f & g">')).toBe(
      '<p>a &quot;b&quot; f &amp; g</p>\n',
    );
    expect(html('[![alt](x.png)](https://c.example)')).toBe(
      '<p><a href="https://c.example" rel="nofollow ugc noopener">alt</a></p>\n',
    );
  });

  it('resolves Markdown and HTML images alike', () => {
    const seen: string[] = [];
    const options: RenderOptions = {
      resolveImage: (src) => {
        seen.push(src);
        return { src: `/f?x=1&y="${seen.length}`, width: 10, height: 20 };
      },
    };
    expect(html('![a](my%20pic.png?a=1&b=2 "t") <img src="/x.png" width=5 onerror=y>', options)).toBe(
      '<p><img src="/f?x=1&amp;y=&quot;1" alt="a" title="t" width="10" height="20" loading="lazy"> ' +
        '<img src="/f?x=1&amp;y=&quot;2" alt="" width="10" height="20" loading="lazy"></p>\n',
    );
    expect(seen).toEqual(['my%20pic.png?a=1&b=2', '/x.png']);
  });

  it('wraps tables and keeps header cells and alignment', () => {
    const rendered = html('| a | b |\n|---|--:|\n| 1 | 2 |', { tableLabel: 'Table' });
    expect(rendered).toMatch(/^<div class="table-scroll" tabindex="0" role="region" aria-label="Table"><table>/);
    expect(rendered).toContain('<th align="right">b</th>');
    expect(rendered).toContain('</table></div>');
  });

  it('resolves mentions in text but not in attributes', () => {
    const id = '0190A8B2-1111-7222-8333-444455556666';
    const options: RenderOptions = { resolveMention: (userId) => ({ name: `Ann ${userId[0]}`, href: '/p' }) };
    expect(html(`Hi {{${id}}}`, options)).toBe('<p>Hi <a class="mention" href="/p"><bdi>@Ann 0</bdi></a></p>\n');
    expect(html(`<p title="{{${id}}}">x</p>`, options)).toBe(`<p title="{{${id}}}">x</p>`);
    expect(html(`Hi {{${id}}}`)).toBe(`<p>Hi {{${id}}}</p>\n`);
  });

  it('keeps the start number of a list', () => expect(html('3. c')).toContain('<ol start="3">'));

  it('renders an aside as a note, which is not a landmark', () => {
    expect(html('<aside>x</aside>')).toBe('<div class="aside" role="note">x</div>');
  });

  test.each(['<h1>', '# a\n', '> ', '- ', '*a **b ', '[', '![a](b)', '<b>', 'a@b.example ', '<!-- ', '<svg>'])(
    'renders 64 KiB of %j within the time limit',
    (piece) => {
      const start = performance.now();
      html(piece.repeat(Math.floor(65_536 / piece.length)), everything);
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );
});

test('markdownToPlainText writes one line per block', () => {
  expect(
    markdownToPlainText(
      '# T\n\npara &amp; *x*\n\n- a\n- b\n\n| c | d |\n|--|--|\n| e | `f` |\n\n![alt](x) <!-- no -->',
    ),
  ).toBe('T\npara & x\na\nb\nc d\ne f\nalt');
});

test('nestingDepth counts nested elements', () => {
  expect(nestingDepth('')).toBe(0);
  expect(nestingDepth('a *b* <br> ![c](d)')).toBe(2);
  expect(nestingDepth('> '.repeat(40) + 'x')).toBe(41);
  expect(nestingDepth('<span>'.repeat(5000))).toBeGreaterThan(32);
});

describe.runIf(existsSync(data))('real texts', () => {
  it('renders every lesson without comments and takes its title from the level-1 heading', () => {
    const lessons = ['en', 'ar', 'fr', 'ja'].flatMap((locale) => {
      const folder = new URL(`course-security-101/lessons/${locale}/`, data);
      return readdirSync(folder).map((name) => ({
        name: `${locale}/${name}`,
        text: readFileSync(new URL(encodeURIComponent(name), folder), 'utf8'),
      }));
    });
    expect(lessons).toHaveLength(128);
    const untitled: string[] = [];
    for (const { name, text } of lessons) {
      const { html: rendered, title } = renderMarkdown(text, { ...everything, tableLabel: 'T' });
      expectSafe(rendered);
      expect(rendered).not.toMatch(/<!--|&lt;!--|CO_OP_TRANSLATOR/);
      if (!title) untitled.push(name);
    }
    expect(untitled).toContain('en/5.2 AppSec key capabilities.md');
    expect(untitled.length).toBeLessThanOrEqual(4);
  });

  it('keeps the tables and lists of an article and drops its divs', () => {
    const { html: rendered } = renderMarkdown(readFileSync(new URL('richtext-contentful/real-world.md', data), 'utf8'));
    expectSafe(rendered);
    expect(rendered).toMatch(/<th[ >]/);
    expect(rendered).toContain('<ul>');
    expect(rendered.replaceAll('<div class="table-scroll"', '')).not.toContain('<div');
  });

  it('shows text in curly braces as written and finds no mention in it', () => {
    const root = new URL('articles-18f-guides/content/', data);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    expect(files).toHaveLength(87);
    for (const name of files) {
      const text = readFileSync(new URL(name, root), 'utf8');
      expectSafe(html(text));
      expect(extractMentions(text)).toEqual([]);
    }
    expect(html('See {{ "/methods/" | url }} {% x %}')).toBe('<p>See {{ "/methods/" | url }} {% x %}</p>\n');
  });
});

describe('renderMarkdown of text without markup', () => {
  const signs = [..."aéß漢ا٣1wW \n\n,.;!?'()’“”–—…-=_#*`@:/<&\\\u0301"];

  it('renders the same through the fast path and the full renderer', () => {
    const texts = fc.array(fc.constantFrom(...signs, 'www.', 'word ', 'one, ', 'two. '), { maxLength: 20 });
    fc.assert(
      fc.property(texts, (parts) => {
        const source = parts.join('');
        expect(renderMarkdown(source)).toEqual(renderMarkdown(source, {}));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['We had the same. It helped to ask first.', '<p>We had the same. It helped to ask first.</p>\n'],
    ['one,\ntwo (and a half)\n\n\nthree…', '<p>one,\ntwo (and a half)</p>\n<p>three…</p>\n'],
    [
      'see www.example.org',
      '<p>see <a href="https://www.example.org" rel="nofollow ugc noopener">www.example.org</a></p>\n',
    ],
    ['one  \ntwo', '<p>one<br />\ntwo</p>\n'],
    ['', ''],
  ])('renders paragraphs of %j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
});

describe('reference links', () => {
  const long = (uses: number) => `${'[a][a] '.repeat(uses)}\n\n[a]: /${'x'.repeat(8_000)}`;

  it('keep ordinary texts as they are', () => {
    expect(html('[One][a] and [two][a]\n\n[a]: https://example.org "Title"').match(/<a /g)).toHaveLength(2);
    expect(html(long(10)).match(/<a /g)).toHaveLength(10);
  });

  it('cannot make a long text of a short one', () => {
    for (const source of [long(1_000), long(6_000), `${'![a][a] '.repeat(2_000)}\n\n[a]: /${'x'.repeat(8_000)}`])
      expect(html(source, { resolveImage: (src) => src }).length).toBeLessThan(200_000 + source.length);
    expect(html(long(1_000))).toContain('[a][a]');
  });
});
