import type { Locale } from '@officium/i18n/locales';

export type MediaKind = 'picture' | 'video' | 'audio' | 'captions' | 'file';
export type MediaUse = {
  kind: MediaKind;
  path: string;
  title: string;
  /** Captions of a video or the transcript of a recording, and their language. */
  words?: { path: string; locale: Locale } | undefined;
};

const BLOCK = { video: 'video', audio: 'audio', captions: 'file', file: 'file' } as const;

/** The Markdown that shows a stored file. */
export function mediaMarkdown({ kind, path, title, words }: MediaUse): string {
  const label = title
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[[\]\\]/g, '\\$&');
  if (kind === 'picture') return `![${label}](/${path})`;
  const attributes = [`src=${path}`];
  if (words && kind === 'video') attributes.push(`captions-${words.locale}=${words.path}`);
  if (words && kind === 'audio') attributes.push(`transcript=${words.path}`);
  return `::${BLOCK[kind]}[${label}]{${attributes.join(' ')}}`;
}

/** A block to insert at a position of a text, with the empty lines it needs around it. */
export function asParagraph(text: string, at: number, block: string): string {
  const before = text.slice(0, at);
  const after = text.slice(at);
  const start = before === '' || /\n\s*\n$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const end = after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  return start + block + end;
}

/** A title to start with: the name of the file in words. */
export function titleOfFile(name: string): string {
  return name
    .replace(/\.[^.]*$/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
}
