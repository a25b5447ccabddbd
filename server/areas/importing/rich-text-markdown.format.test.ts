import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';
import { sanitiseRichText } from '#server/text/sanitise.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import type { ContentfulJson } from './contentful-export.format.ts';
import { richTextToMarkdown } from './rich-text-markdown.format.ts';

type Node = { [field: string]: ContentfulJson };
const said = (value: string, ...marks: string[]): Node => ({
  nodeType: 'text',
  value,
  marks: marks.map((type) => ({ type })),
  data: {},
});
const node = (nodeType: string, ...content: Node[]): Node => ({ nodeType, data: {}, content });
const shown = (document: ContentfulJson) =>
  renderMarkdown(sanitiseRichText(richTextToMarkdown(document)))
    .html.replace(/\n/g, '')
    .replace(/ rel="[^"]*"/g, '');
const paragraph = (...content: Node[]) => shown(node('document', node('paragraph', ...content)));

describe('richTextToMarkdown', () => {
  it('converts marks to elements, at any position', () => {
    expect(paragraph(said('a', 'bold'), said('b', 'bold'), said('c'))).toBe(
      '<p><strong>a</strong><strong>b</strong>c</p>',
    );
    expect(paragraph(said('x'), said('(a)', 'bold'), said('y'), said('“b”', 'italic'), said('z'))).toBe(
      '<p>x<strong>(a)</strong>y<em>“b”</em>z</p>',
    );
    expect(paragraph(said('a ', 'strikethrough'), said('b', 'underline', 'superscript'))).toBe(
      '<p><s>a</s> <sup><u>b</u></sup></p>',
    );
    expect(paragraph(said('a`b*c*', 'code', 'bold'))).toBe('<p><strong><code>a`b*c*</code></strong></p>');
  });

  it('escapes text that looks like Markdown', () => {
    for (const text of [
      '# one',
      '1. one',
      '2) one',
      '- one',
      '+ one',
      '=== one',
      '*a* _b_ [c](d)',
      '~~a~~',
      '<b>a',
      '&amp;',
    ])
      expect(paragraph(said(text))).toBe(
        `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`,
      );
    expect(paragraph(said('Ask {{0190a8b2-1111-7222-8333-444455556666}}'))).toContain(
      '{{0190a8b2-1111-7222-8333-444455556666}}',
    );
  });

  it('reads long runs of spaces in linear time', () => {
    const spaces = ' '.repeat(100_000);
    const before = process.cpuUsage().user;
    expect(richTextToMarkdown(node('document', node('paragraph', said(`a${spaces}b${spaces}\n${spaces}\nc`))))).toMatch(
      /^a {100000}b<br>c\s*$/,
    );
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  });

  it('keeps merged table cells, with marks and links in them', () => {
    const cell = (type: string, data: Node, ...content: Node[]): Node => ({
      ...node(type, node('paragraph', ...content)),
      data,
    });
    const rows = [
      node('table-row', cell('table-header-cell', { colspan: 2 }, said('Hours'))),
      node(
        'table-row',
        cell('table-cell', { rowspan: 2 }, said('Parks', 'bold')),
        cell('table-cell', {}, said('9–12')),
      ),
    ];
    expect(shown(node('document', node('table', ...rows)))).toContain(
      '<table><tr><th colspan="2"><p>Hours</p></th></tr>' +
        '<tr><td rowspan="2"><p><strong>Parks</strong></p></td><td><p>9–12</p></td></tr></table>',
    );
  });

  it('keeps line breaks, links and the content of quotes', () => {
    expect(paragraph(said('a\n- b'))).toBe('<p>a<br />- b</p>');
    const link = { ...node('hyperlink', said('here')), data: { uri: 'https://example.org/a_(b)' } };
    expect(paragraph(said('Look '), link)).toBe('<p>Look <a href="https://example.org/a_(b)">here</a></p>');
    expect(shown(node('document', node('blockquote', said('a '), link)))).toBe(
      '<blockquote><p>a <a href="https://example.org/a_(b)">here</a></p></blockquote>',
    );
    expect(
      shown(node('document', node('blockquote', node('paragraph', said('a')), node('paragraph', said('b'))))),
    ).toBe('<blockquote><p>a</p><p>b</p></blockquote>');
  });

  it('keeps nested lists and vertical bars in cells', () => {
    const item = (...content: Node[]) => node('list-item', ...content);
    const inner = node('ordered-list', item(node('paragraph', said('b'))), item(node('paragraph', said('c'))));
    expect(shown(node('document', node('unordered-list', item(node('paragraph', said('a')), inner))))).toMatch(
      /^<ul><li>(?:<p>)?a(?:<\/p>)?<ol><li>b<\/li><li>c<\/li><\/ol><\/li><\/ul>$/,
    );
    const cell = (text: string) => node('table-cell', node('paragraph', said(text)));
    const table = node('table', node('table-row', cell('a|b'), cell('c')), node('table-row', cell('d\ne'), cell('f')));
    expect(shown(node('document', table))).toContain('<th>a|b</th><th>c</th>');
    expect(shown(node('document', table))).toContain('<td>d<br />e</td>');
  });
});

describe.runIf(hasSharedData)('the documents of Contentful’s renderer tests', () => {
  const documents: Record<string, ContentfulJson> = hasSharedData
    ? JSON.parse(readFileSync(join(SHARED_DATA, 'richtext-contentful/documents.json'), 'utf8'))
    : {};

  it.each([
    ['bold', 'strong'],
    ['italic', 'em'],
    ['underline', 'u'],
    ['code', 'code'],
    ['superscript', 'sup'],
    ['subscript', 'sub'],
    ['strikethrough', 's'],
  ])('convert %s to %s', (mark, element) => {
    expect(shown(documents[`mark/${mark}`]!)).toBe(`<p><${element}>hello world</${element}></p>`); // it is there
  });

  it('lose no word', () => {
    for (const [name, document] of Object.entries(documents)) {
      const html = shown(document);
      JSON.parse(JSON.stringify(document), (key, value) => {
        if (key === 'value' && value.trim() !== '')
          expect([name, html]).toEqual([name, expect.stringContaining(value)]);
        return value;
      });
    }
  });
});
