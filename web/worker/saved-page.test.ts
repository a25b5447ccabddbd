import { expect, it } from 'vitest';
import { asSaved, filesOf, withLessons } from './saved-page.ts';

const PAGE =
  '<!DOCTYPE html><html lang="en"><head><link nonce="n" rel="stylesheet" href="/assets/a.css"/>' +
  '<link rel="preload" as="font" href="/assets/f.woff2" crossorigin="anonymous"/>' +
  '<link rel="preload" as="fetch" href="/assets/messages.json"/><link rel="modulepreload" href="/assets/a.js"/>' +
  '<link rel="canonical" href="/courses/a/b/c"/><link rel="icon" href="/favicon.svg"/></head>' +
  '<body><img src="/content/p.png?w=1&amp;h=2" alt=""><img src="https://elsewhere.example/x.png" alt="">' +
  '<script nonce="n">if (1 < 2) start("\\u003c/script>");</script><script type="module" src="/assets/a.js"></script></body></html>';

it('finds the styles, fonts, icons and images of our own origin', () => {
  expect(filesOf(PAGE, 'https://learn.example')).toEqual([
    '/assets/a.css',
    '/assets/f.woff2',
    '/favicon.svg',
    '/content/p.png?w=1&h=2',
  ]);
});

it('removes scripts and marks the page', () => {
  const saved = asSaved(PAGE);
  expect(saved).toContain('<html data-saved lang="en">');
  expect(saved).not.toMatch(/script|modulepreload|messages\.json/);
  expect(saved).toContain('rel="stylesheet"');
  expect(saved).toContain('<img src="/content/p.png');
});

it('lists lessons as text, whatever their titles contain', () => {
  const shell = '<html><div id="kept-lessons" class="x"><p>None.</p></div><p>after</p></html>';
  const evil = { key: '/courses/a/b/"c', title: '$& <img onerror=x>', lang: 'en', files: [], keptAt: 0 };
  const html = withLessons(shell, [evil], false);
  expect(html).toContain('href="/courses/a/b/&quot;c">$&amp; &lt;img onerror=x&gt;</a>');
  expect(html).not.toContain('None.');
  expect(html).toContain('</div><p>after</p>');
  expect(withLessons(shell, [], false)).toBe(shell);
  expect(withLessons(shell, [], true)).toContain('<html data-unsent>');
});
