import { describe, expect, it, test } from 'vitest';
import { markdownToPlainText, renderMarkdown } from './markdown.ts';

const html = (source: string) => renderMarkdown(source).html.trim();
const labels = { taskLabels: { open: 'To do', done: 'Done "yes"' } };

describe('task lists', () => {
  it('have marks that screen readers name', () => {
    expect(renderMarkdown('- [ ] a\n- [x] b\n- c', labels).html.trim()).toBe(
      '<ul>\n<li class="task"><span class="task-mark" role="img" aria-label="To do">☐</span> a</li>\n' +
        '<li class="task"><span class="task-mark" role="img" aria-label="Done &quot;yes&quot;">☑</span> b</li>\n' +
        '<li>c</li>\n</ul>',
    );
    expect(renderMarkdown('1. [X] a\n\n   b', { ...labels, headingAnchors: true }).html).toContain(
      '<p id="p-1"><span class="task-mark"',
    );
    expect(markdownToPlainText('- [ ] a\n- [x] b')).toBe('☐ a\n☑ b');
  });

  it('are not made of links, of brackets alone or of text in the middle', () => {
    for (const source of ['- [x](a)', '- [ ]x', '- a [ ] b', '[x] a']) expect(html(source)).not.toContain('task');
  });
});

describe('formulas', () => {
  test.each([
    ['Is $$a_1 * b_2 < c \\\\ d$$ so', '<p>Is <code class="math">a_1 * b_2 &lt; c \\\\ d</code> so</p>'],
    ['$$\nx^2\n+ y\n$$', '<pre tabindex="0"><code class="math">x^2\n+ y</code></pre>'],
    ['$$ x $$', '<pre tabindex="0"><code class="math">x</code></pre>'],
    ['$$a$$ and $$b$$', '<p><code class="math">a</code> and <code class="math">b</code></p>'],
    ['It costs $$ 5', '<p>It costs $$ 5</p>'],
    ['$$\nx\n\ny', '<p>$$\nx</p>\n<p>y</p>'],
    ['`$$a$$`', '<p><code>$$a$$</code></p>'],
    [
      '$$<script>alert(1)</script>$$',
      '<pre tabindex="0"><code class="math">&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>',
    ],
    ['<code class="evil">x</code>', '<p><code>x</code></p>'],
  ])('show the source of %j', (source, expected) => expect(html(source)).toBe(expected));

  it('are found in reasonable time', () => {
    const started = performance.now();
    html('$$ x\n'.repeat(13_000));
    html('$$'.repeat(32_000));
    html('x $$ '.repeat(13_001));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('folded parts', () => {
  it('stay native elements with Markdown inside', () => {
    expect(html('<details open onclick="x()">\n<summary>More</summary>\n\nText **b**\n\n</details>')).toBe(
      '<details>\n<summary>More</summary>\n<p>Text <strong>b</strong></p>\n</details>',
    );
  });
});

describe('recordings and embedded pages', () => {
  const rel = 'rel="nofollow ugc noopener"';
  test.each([
    [
      '<video src="https://a.example/v.mp4" title="A talk"><p>no player</p></video>',
      `<p><a href="https://a.example/v.mp4" ${rel}>A talk</a></p>`,
    ],
    [
      'See <iframe src="//a.example/e?a=1&amp;b=2"></iframe> now',
      `<p>See <a href="https://a.example/e?a=1&amp;b=2" ${rel}>https://a.example/e?a=1&amp;b=2</a> now</p>`,
    ],
    [
      '<audio controls>\n<source src="https://a.example/a.mp3">\n</audio>',
      `<p><a href="https://a.example/a.mp3" ${rel}>https://a.example/a.mp3</a></p>`,
    ],
    ['<video src="clips/a.mp4"></video>', '<p>clips/a.mp4</p>'],
    ['<video src="javascript:alert(1)"></video>', '<p></p>'],
    [
      '<iframe src="https://a.example" title="&lt;script&gt;x"></iframe>',
      `<p><a href="https://a.example" ${rel}>&lt;script&gt;x</a></p>`,
    ],
  ])('become links: %j', (source, expected) => expect(html(source)).toBe(expected));

  it('are replaced in reasonable time', () => {
    const started = performance.now();
    html('<video src="https://a.example">'.repeat(2_000));
    html('<video'.repeat(10_000));
    html('<video></video>'.repeat(4_000));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('tables', () => {
  const table = (columns: number) => `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b|\n'.repeat(2)}`;

  it('stay as typed with more than a hundred columns, because every short row would be filled up', () => {
    expect(html(table(100))).toContain('<table>');
    expect(html(table(101))).not.toContain('<t');
    expect(html(`Before\n${table(101)}\nAfter`)).toBe(
      `<p>Before</p>\n<p>${'|a'.repeat(101)}|\n${'|-'.repeat(101)}|</p>\n<p>|b|\n|b|</p>\n<p>After</p>`,
    );
    expect(html('|a'.repeat(3_000) + '|\n' + '|-'.repeat(3_000) + '|\n' + 'a|\n'.repeat(20)).length).toBeLessThan(
      20_000,
    );
  });
});
