import { findMedia } from '#server/text/media-sources.ts';
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
