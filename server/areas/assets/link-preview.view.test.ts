import { LinkPreview } from '@officium/contract/assets';
import { describe, expect, it } from 'vitest';
import { toPreview } from './link-preview.view.ts';

const of = (html: string, address = 'https://www.example.org/a/page') => {
  const preview = toPreview({ url: new URL(address), html }, []);
  return preview && LinkPreview.strict().parse(preview);
};

describe('toPreview', () => {
  it('prefers Open Graph and Twitter tags over the page’s own title', () => {
    const title = '<title>Own</title>';
    const twitter = '<meta name="twitter:title" content="Twitter"><meta name="twitter:description" content="T">';
    const og = '<meta property="og:title" content="Open &amp; graph"><meta property="og:description" content="O">';
    expect(of(title)).toEqual({ url: 'https://www.example.org/a/page', title: 'Own' });
    expect(of(title + twitter)).toMatchObject({ title: 'Twitter', description: 'T' });
    expect(of(title + twitter + og)).toMatchObject({ title: 'Open & graph', description: 'O' });
    expect(of(`${title}<meta name="Description" content=" a\n b ">`)?.description).toBe('a b');
  });

  it('makes picture addresses absolute and leaves out unsafe ones', () => {
    const src = (content: string, more = '') =>
      of(`<title>t</title>${more}<meta property="og:image" content="${content}">`)?.image?.src;
    expect(src('../b.png')).toBe('https://www.example.org/b.png');
    expect(src('//cdn.example/b.png')).toBe('https://cdn.example/b.png');
    expect(src('b.png', '<base href="https://cdn.example/x/">')).toBe('https://cdn.example/x/b.png');
    for (const base of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/', 'http://['])
      expect(src('b.png', `<base href="${base}">`)).toBe('https://www.example.org/a/b.png');
    for (const bad of [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      'http://10.0.0.1/a.png',
      'https://a:b@cdn.example/a.png',
      '/a.svg',
    ])
      expect(src(bad)).toBeUndefined();
  });

  it('uses the first picture with its dimensions', () => {
    const image = of(`
      <meta property="og:image" content="/one.png"><meta property="og:image:width" content="1200px">
      <meta property="og:image:height" content="wide"><meta property="og:image:alt" content="One">
      <meta property="og:image" content="/two.png"><meta property="og:image:height" content="7">`)?.image;
    expect(image).toEqual({ src: 'https://www.example.org/one.png', width: 1200, alt: 'One' });
    expect(of('<meta name="twitter:image:src" content="/t.png">')?.image).toEqual({
      src: 'https://www.example.org/t.png',
    });
  });

  it('falls back to the site name or host, and returns nothing without metadata', () => {
    expect(of('<meta name="description" content="d">')?.title).toBe('www.example.org');
    expect(of('<meta name="description" content="d"><meta property="og:site_name" content="Site">')?.title).toBe(
      'Site',
    );
    for (const nothing of ['', 'text', '<title> </title>', '<svg><title>x</title></svg>', '<title>'])
      expect(of(nothing)).toBeUndefined();
  });

  it('reads a page up to the nesting depth of browsers', () => {
    const end = '<meta property="og:title" content="End">';
    expect(of(`<title>Begin</title>${'<div>'.repeat(400)}${end}`)?.title).toBe('End');
    expect(of(`<title>Begin</title>${'<div></div>'.repeat(40_000)}${end}`)?.title).toBe('End');
    expect(of(`<title>Begin</title>${'<div>'.repeat(100_000)}${end}`)?.title).toBe('Begin');
    expect(of('<title>Not ended')?.title).toBe('Not ended');
  });

  it('cuts texts to one short line', () => {
    const title = of(`<title>${'😀'.repeat(500)}</title>`)?.title ?? '';
    expect([...title]).toHaveLength(300);
    expect(of('<title>a\u0000\u202Eb\n\n c</title>')?.title).toBe('a b c');
  });
});
