import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { expectBalanced, expectSafe } from '../../test/safe-html.ts';
import { markdownToPlainText, parseMarkdown, renderMarkdown, type RenderOptions } from '../markdown.ts';
import { XSS_CORPUS } from '../xss-corpus.ts';
import type { BlockProblem, BlockSet } from './block.ts';
import { LESSON_BLOCKS, PAGE_BLOCKS } from './registry.ts';

const options: RenderOptions = {
  blocks: PAGE_BLOCKS,
  blockLabels: { note: 'Note', tip: 'Tip', warning: 'Warning', example: 'Example', reflect: 'To think about' },
};
const html = (source: string, more: RenderOptions = {}) => renderMarkdown(source, { ...options, ...more }).html.trim();

function problemsOf(source: string): BlockProblem[] {
  const problems: BlockProblem[] = [];
  parseMarkdown(source, { blocks: PAGE_BLOCKS, problems });
  return problems;
}

describe('blocks', () => {
  test.each([
    [
      ':::callout\nText **b**\n:::',
      '<div class="callout callout-note" role="note">\n<div class="callout-title">Note</div>\n<p>Text <strong>b</strong></p>\n</div>',
    ],
    [
      ':::callout[Save & "go"]{kind=warning}\na\n:::',
      '<div class="callout callout-warning" role="note">\n<div class="callout-title">Warning: Save &amp; &quot;go&quot;</div>\n<p>a</p>\n</div>',
    ],
    [':::accordion[More]\na\n:::', '<details class="accordion">\n<summary>More</summary>\n<p>a</p>\n</details>'],
    [
      ':::accordion[More]{open}\na\n:::',
      '<details class="accordion" open>\n<summary>More</summary>\n<p>a</p>\n</details>',
    ],
    [':::steps\n1. a\n2. b\n:::', '<div class="steps">\n<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n</div>'],
    [
      ':::reflect\nWhy?\n:::',
      '<div class="reflect" role="note">\n<div class="reflect-title">To think about</div>\n<p>Why?</p>\n</div>',
    ],
    [
      '::::columns\n:::column\na\n:::\n:::column\nb\n:::\n::::',
      '<div class="columns">\n<div class="column">\n<p>a</p>\n</div>\n<div class="column">\n<p>b</p>\n</div>\n</div>',
    ],
    [
      '## H\n\n::::tabs\n:::tab[One]\na\n:::\n::::',
      '<h2>H</h2>\n<div class="tabs">\n<div class="tab">\n<h3>One</h3>\n<p>a</p>\n</div>\n</div>',
    ],
  ])('render %j', (source, expected) => expect(html(source)).toBe(expected));

  it('stand in lists and quotes, and interrupt a paragraph', () => {
    expect(html('- a\n  :::steps\n  1. b\n  :::\n- c')).toBe(
      '<ul>\n<li>a<div class="steps">\n<ol>\n<li>b</li>\n</ol>\n</div>\n</li>\n<li>c</li>\n</ul>',
    );
    expect(html('> :::steps\n> 1. b\n> :::\n> c')).toContain('</div>\n<p>c</p>\n</blockquote>');
    expect(html('a\n:::steps\nb\n:::\nc')).toBe('<p>a</p>\n<div class="steps">\n<p>b</p>\n</div>\n<p>c</p>');
  });

  it('end with what contains them when their last line is missing', () => {
    expect(html('- :::steps\n  a\n\nb')).toContain('</ul>\n<p>b</p>');
    expect(problemsOf('- :::steps\n  a\n\nb')).toEqual([{ kind: 'unclosed', line: 1, text: 'steps' }]);
  });

  it('read definitions and number headings and paragraphs across the whole text', () => {
    const { html: rendered, headings } = renderMarkdown(
      'See [a][b].\n\n:::callout\n## T\n\n[b]: /c\n:::\n\n## T\n\nd',
      { ...options, headingAnchors: true },
    );
    expect(rendered).toContain('<p id="p-1">See <a href="/c"');
    expect(rendered).toContain('<p id="p-2">d');
    expect(headings.map(({ id }) => id)).toEqual(['s-t', 's-t-2']);
  });

  it('stay as typed where they are not known, and the checks name them', () => {
    const source = ':::foo\na\n:::\n\n::callout\n\n:::tab[x]\ny\n:::\n\n`:::foo`\n\n    :::foo\n\n```\n:::foo\n```';
    expect(html(source)).toContain('<p>:::foo\na\n:::</p>\n<p>::callout</p>');
    expect(problemsOf(source)).toEqual([
      { kind: 'unknown', line: 1, text: ':::foo' },
      { kind: 'unknown', line: 5, text: '::callout' },
      { kind: 'misplaced', line: 7, text: ':::tab' },
    ]);
    expect(problemsOf(':::callout{kind=x #a b=c}\n:::')).toEqual([
      { kind: 'attribute', line: 1, text: 'kind=x' },
      { kind: 'attribute', line: 1, text: 'b=c' },
    ]);
  });

  it('stay as typed without the option, as in posts', () => {
    expect(renderMarkdown(':::callout\na\n:::', {}).html).toBe('<p>:::callout\na\n:::</p>\n');
  });

  it('nest four deep and no deeper', () => {
    const nested = [6, 5, 4, 3].map((colons) => `${':'.repeat(colons)}steps\n`).join('');
    expect(html(`${nested}a`).match(/class="steps"/g)).toHaveLength(4);
    expect(html(`:${nested.split('\n')[0]}\n${nested}a`).match(/class="steps"/g)).toHaveLength(4);
  });

  it('have plain text', () => {
    const text = ':::callout[T]{kind=tip}\na **b**\n:::\n\n:::accordion[More]\nc\n:::';
    expect(markdownToPlainText(text, { blocks: PAGE_BLOCKS })).toBe('T\na b\nMore\nc');
  });

  it('resolve what the place knows, through options', () => {
    type WithFiles = RenderOptions & { resolveFile: (src: string) => string };
    const blocks: BlockSet = new Map([
      [
        'file',
        {
          kind: 'leaf',
          attributes: { src: () => true },
          render: (view) => (view.options as WithFiles).resolveFile(view.attributes['src'] ?? ''),
        },
      ],
    ]);
    const resolving: WithFiles = { blocks, resolveFile: (src) => `<a href="/files/${src}">x</a>` };
    expect(renderMarkdown('::file{src=a.pdf}', resolving).html).toContain('<a href="/files/a.pdf" rel=');
  });
});

describe('safety of blocks', () => {
  const wrap = (evil: string) => {
    const line = evil.replaceAll('\n', ' ');
    return `:::callout[${line}]{kind="${line.replaceAll('"', '\\"')}"}\n${evil}\n\n:::\n\n${evil}\n\n:::accordion[${line}]\n${evil}`;
  };

  test.each(XSS_CORPUS)('renders %j safely', (source) => {
    expectSafe(html(wrap(source), { headingAnchors: true }));
    expectBalanced(html(wrap(source)));
  });

  it('renders only our markup, in balance, for arbitrary input', () => {
    const piece = fc.oneof(
      fc.constantFrom(...XSS_CORPUS),
      fc.constantFrom(
        '\n\n',
        '\n:::\n',
        '\n::::\n',
        '\n:::callout[<b>"]{kind=tip}\n',
        '\n::::tabs\n:::tab[x]\n',
        '\n:::accordion[">]\n\n',
        '<table><tr><td>\n\n',
        '</div>\n\n',
        '</details>\n\n',
        '<details><summary>\n\n',
        '<p title="\n\n',
        '<video>\n\n',
        '- ',
        '> ',
        '`',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const rendered = html(pieces.join(''), { headingAnchors: true, tableLabel: 'T' });
        expectSafe(rendered);
        expectBalanced(rendered);
      }),
      { numRuns: 1500 },
    );
  });

  it('cannot be broken out of or swallowed', () => {
    const inside = html(':::callout\n<table><tr><td>\n\n</div></div>\n\n:::\n\nafter');
    expect(inside).toMatch(/<\/table><\/div><\/div>\n<p>after<\/p>$/);
    const inAttribute = html('<p title="\n\n:::callout\na\n:::\n\n<p class="x">b</p>');
    expect(inAttribute).toBe('<p title=" &lt;p class=">b</p>');
    expect(html('a <video>\n\n:::callout\nb\n:::\n\n</video>')).not.toMatch(/[0-9a-f]{32}/);
  });

  test.each([
    ':::',
    ':',
    ':::callout\n',
    ':::callout\n\n:::\n\n',
    ':::callout[',
    ':::callout{a="',
    '::x\n',
    '- :::callout\n',
    '> :::callout\n',
    '::::columns\n:::column\n',
    ':::accordion[a]\n<table><tr><td>\n\n:::\n',
    ':::callout\n- a\n',
  ])('renders 64 KiB of %j within the time limit', (piece) => {
    const start = performance.now();
    html(piece.repeat(Math.floor(65_536 / piece.length)), { headingAnchors: true });
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

it.each(['::: quiz', '::::  quiz{#a}'])('names a question that would show its key: %j', (opening) => {
  const problems: BlockProblem[] = [];
  parseMarkdown(`Text\n\n${opening}\nOne?\n\n- [x] yes\n- [ ] no\n:::`, { blocks: LESSON_BLOCKS, problems });
  expect(problems).toContainEqual(expect.objectContaining({ kind: 'misplaced', line: 3 }));
});
