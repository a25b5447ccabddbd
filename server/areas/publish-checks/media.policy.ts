import type { Locale } from '@officium/contract/common';
import { MAX_FROM_FILES } from '#server/text/blocks/block.ts';
import { findMedia, type MediaUse } from '#server/text/media-sources.ts';
import type { Finding } from './check.policy.ts';

/** Checks that videos have captions and recordings a transcript (WCAG 1.2.1 and 1.2.2). */
export function checkMedia(markdown: string): Finding[] {
  return findMedia(markdown).flatMap(({ name, label, attributes, line }): Finding[] => {
    const text = label || (attributes['src'] ?? '');
    const hasCaptions = Object.keys(attributes).some((attribute) => attribute.startsWith('captions-'));
    if (name === 'video' && !hasCaptions) return [{ rule: 'video-captions', severity: 'must', line, text }];
    if (name === 'audio' && attributes['transcript'] === undefined)
      return [{ rule: 'audio-transcript', severity: 'must', line, text }];
    return [];
  });
}

/** Finds the files that a text names and its piece does not have. */
export function findMissingFiles(markdown: string, has: (source: string) => boolean): Finding[] {
  return findMedia(markdown).flatMap(({ sources, line }) =>
    sources
      .filter((source) => !has(source))
      .map((text): Finding => ({ rule: 'file-missing', severity: 'should', line, text })),
  );
}

/** Finds the recordings after those whose transcripts fill the page. `bytesOf`: the size of a file, if there is one. */
export function findLeftOutTranscripts(
  markdown: string,
  locale: Locale,
  bytesOf: (source: string) => number | undefined,
): Finding[] {
  let left = MAX_FROM_FILES;
  return findMedia(markdown).flatMap((use): Finding[] => {
    const words = wordsOf(use, locale);
    const bytes = words === undefined ? undefined : bytesOf(words);
    if (words === undefined || bytes === undefined) return [];
    left -= bytes;
    return left < 0 ? [{ rule: 'transcript-left-out', severity: 'should', line: use.line, text: words }] : [];
  });
}

/** The file with what is said in a recording, in the language of the text if there is one. */
function wordsOf({ attributes }: MediaUse, locale: Locale): string | undefined {
  const captions = Object.entries(attributes).find(([name]) => name.startsWith('captions-'))?.[1];
  return attributes['transcript'] ?? attributes[`captions-${locale}`] ?? captions;
}
