import { describe, expect, it, test } from 'vitest';
import { expectBalanced, expectSafe } from '../../test/safe-html.ts';
import { renderMarkdown, type RenderOptions } from '../markdown.ts';
import { findMedia } from '../media-sources.ts';
import { XSS_CORPUS } from '../xss-corpus.ts';
import type { ResolvedFile } from './block.ts';
import { PAGE_BLOCKS } from './registry.ts';

const VTT = 'WEBVTT\n\n00:00.000 --> 00:01.000\nTom & <b>Ana</b>.\n';
const FILES: Readonly<Record<string, ResolvedFile>> = {
  'media/a.mp4': { url: '/content-assets/a.mp4', name: 'a.mp4', extension: 'mp4', bytes: 5 },
  'media/a.mp3': { url: '/content-assets/a.mp3', name: 'a.mp3', extension: 'mp3', bytes: 5 },
  'media/en.vtt': { url: '/content-assets/en.vtt', name: 'en.vtt', extension: 'vtt', bytes: 5, text: VTT },
  'media/ar.vtt': { url: '/content-assets/ar.vtt', name: 'ar.vtt', extension: 'vtt', bytes: 5, text: VTT },
  'media/a.txt': { url: '/content-assets/a.txt', name: 'a.txt', extension: 'txt', bytes: 5, text: 'One\n\n<Two>' },
  'media/form.pdf': { url: '/content-assets/x.pdf', name: 'form 7.pdf', extension: 'pdf', bytes: 1_234_567 },
};
const options: RenderOptions = {
  blocks: PAGE_BLOCKS,
  mediaLabels: { locale: 'en', transcript: 'Transcript' },
  resolveMedia: (src) => FILES[src],
  resolveImage: (src) => (src === 'images/p.webp' ? { src: '/content-assets/p.webp', width: 1, height: 1 } : undefined),
};
const html = (source: string, more: RenderOptions = {}) => renderMarkdown(source, { ...options, ...more }).html.trim();

describe('media blocks', () => {
  it('show a video with captions, the default in the language of the text, and a transcript', () => {
    const source =
      '::video["A" & b]{src=media/a.mp4 captions-ar=media/ar.vtt captions-en=media/en.vtt poster=images/p.webp}';
    expect(html(source)).toBe(
      [
        '<figure class="media">',
        '<video controls preload="metadata" playsinline src="/content-assets/a.mp4" poster="/content-assets/p.webp" aria-label="&quot;A&quot; &amp; b">' +
          '<track kind="captions" src="/content-assets/ar.vtt" srclang="ar" label="العربية">' +
          '<track kind="captions" src="/content-assets/en.vtt" srclang="en" label="English" default></video>',
        '<figcaption>&quot;A&quot; &amp; b</figcaption>',
        '<details class="transcript"><summary>Transcript</summary>',
        '<div>',
        '<p>Tom &amp; Ana.</p>',
        '</div></details>',
        '</figure>',
      ].join('\n'),
    );
  });

  it('name the language of a transcript that is not that of the text', () => {
    expect(html('::video[A]{src=media/a.mp4 captions-ar=media/ar.vtt}')).toContain(
      '<summary>Transcript (العربية)</summary>\n<div lang="ar" dir="auto">',
    );
  });

  it('show audio with a transcript from captions or plain text', () => {
    expect(html('::audio[A]{src=media/a.mp3 transcript=media/a.txt}')).toContain('<p>One</p>\n<p>&lt;Two&gt;</p>');
    expect(html('::audio[A]{src=media/a.mp3 transcript=media/en.vtt}')).toContain('<p>Tom &amp; Ana.</p>');
    expect(html('::audio{src=media/a.mp3}')).toBe(
      '<figure class="media">\n<audio controls preload="metadata" src="/content-assets/a.mp3"></audio>\n</figure>',
    );
  });

  it.each([
    ['captions', 'vtt', `WEBVTT\n\n00:00.000 --> 00:01.000\n${'A long sentence. '.repeat(40_000)}\n`],
    ['a text of many short paragraphs', 'txt', 'a\n\n'.repeat(250_000)],
    ['captions without words', 'vtt', `WEBVTT\n\n${'NOTE nothing\n\n'.repeat(60_000)}`],
  ])('show the transcript of a file at its first uses only when a short text repeats it: %s', (_, extension, text) => {
    const long = { url: '/content-assets/l', name: 'l', extension, bytes: text.length, text };
    const resolveMedia = (src: string) => (src === 'media/long' ? long : FILES[src]);
    const before = performance.now();
    const shown = html('::audio[A]{src=media/a.mp3 transcript=media/long}\n\n'.repeat(900), { resolveMedia });
    expect(performance.now() - before).toBeLessThan(3000);
    expect(shown.match(/<audio/g)).toHaveLength(900);
    expect(shown.length).toBeLessThan(1_400_000);
  });

  it('show the transcript of every recording of a long lesson', () => {
    const text = `WEBVTT\n\n00:00.000 --> 00:01.000\n${'A long sentence. '.repeat(4_000)}\n`;
    const resolveMedia = (src: string) => (src === 'media/hour.vtt' ? { ...FILES['media/en.vtt']!, text } : FILES[src]); // listed above
    const shown = html('::audio[A]{src=media/a.mp3 transcript=media/hour.vtt}\n\n'.repeat(12), { resolveMedia });
    expect(shown.match(/<details/g)).toHaveLength(12);
  });

  it('link a file with its type and size in the language of the text', () => {
    expect(html('::file[Form]{src=media/form.pdf}')).toBe(
      '<p class="file"><a href="/content-assets/x.pdf/form%207.pdf" download rel="nofollow ugc noopener">Form</a> <bdi class="file-facts">(PDF, 1.2 MB)</bdi></p>',
    );
    const inFrench = html('::file{src=media/form.pdf}', { mediaLabels: { locale: 'fr', transcript: '' } });
    expect(inFrench.replace(/\s/g, ' ')).toContain('>form 7.pdf</a> <bdi class="file-facts">(PDF, 1,2 Mo)</bdi>');
  });

  test.each([
    '::video[A & b]{src=media/none.mp4}',
    '::video[A & b]{src=media/form.pdf}',
    '::video[A & b]{src="https://example.org/a.mp4"}',
    '::audio[A & b]{src=media/a.mp4}',
    '::file[A & b]{src=//example.org/a.pdf}',
    '::file[A & b]',
  ])('leave the title of %j, whose file is not there', (source) => expect(html(source)).toBe('<p>A &amp; b</p>'));

  it('leave the title where no files are known, as in articles', () => {
    expect(renderMarkdown('::file[A]{src=media/form.pdf}', { blocks: PAGE_BLOCKS }).html.trim()).toBe('<p>A</p>');
  });

  test.each(XSS_CORPUS)('render %j safely', (evil) => {
    const line = evil.replaceAll('\n', ' ');
    const value = line.replaceAll('"', '\\"');
    const resolving: RenderOptions = {
      ...options,
      resolveMedia: (src) => ({
        url: '/content-assets/a',
        name: `${src} ${evil}`,
        extension: 'vtt',
        bytes: 1,
        text: `${VTT}\n${evil}\n\n00:01.000 --> 00:02.000\n${evil}`,
      }),
    };
    const attributes = `{src="${value}" poster="${value}" captions-en="${value}" transcript="${value}"}`;
    for (const name of ['video', 'audio', 'file'])
      for (const source of [
        `::${name}[${line}]${attributes}`,
        `::${name}[${line}]{src=media/a.mp4 captions-en=media/en.vtt}`,
      ]) {
        const rendered = renderMarkdown(source, resolving).html + html(source);
        expectSafe(rendered);
        expectBalanced(rendered);
      }
  });
});

it('findMedia names what each block uses', () => {
  expect(
    findMedia(
      'a\n\n::video[V]{src=media/a.mp4 captions-fr=media/f.vtt}\n\n- ::file[F]{src=b.pdf}\n\n```\n::file{src=c.pdf}\n```',
    ),
  ).toEqual([
    {
      name: 'video',
      label: 'V',
      line: 3,
      sources: ['media/a.mp4', 'media/f.vtt'],
      attributes: { src: 'media/a.mp4', 'captions-fr': 'media/f.vtt' },
    },
    { name: 'file', label: 'F', line: 5, sources: ['b.pdf'], attributes: { src: 'b.pdf' } },
  ]);
});
