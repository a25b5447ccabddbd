import { replacePictures } from '#server/text/picture-links.ts';
import type { LocalizedText } from '@officium/contract/common';
import { EDITORIAL_TYPES } from '#server/areas/catalogue/editorial.policy.ts';
import { prefixedId } from '#server/areas/catalogue/entry-ids.policy.ts';
import { imageCandidates } from '#server/areas/catalogue/image-path.policy.ts';
import type { FolderEditorial } from './folder.format.ts';

/** As `findEditorialsOut` answers it. */
type Out = Omit<FolderEditorial, 'cover' | 'coverAlt' | 'summary' | 'humanTranslation' | 'scopes' | 'schedule'> & {
  schedule: FolderEditorial['schedule'] | null;
  summary: LocalizedText;
  cover: string | null;
  cover_alt: LocalizedText;
  human_translation: boolean;
  can_view: string;
  can_join: string;
};

/** An editorial as a folder has it. `place` tells where its pictures go; its texts name them there. */
export function toFolderEditorial(row: Out, place: (path: string) => string): FolderEditorial {
  const {
    id,
    kind,
    slug,
    title,
    summary,
    parts,
    cover,
    cover_alt,
    human_translation,
    can_view,
    can_join,
    items,
    schedule,
  } = row;
  const moved = (texts: LocalizedText | undefined): LocalizedText =>
    Object.fromEntries(Object.entries(texts ?? {}).map(([locale, text]) => [locale, withPictures(text, place)]));
  return {
    kind,
    id: id === prefixedId(EDITORIAL_TYPES[kind], slug) ? slug : id,
    slug,
    title,
    ...(Object.keys(summary).length > 0 ? { summary } : {}),
    ...(cover === null ? {} : { cover: place(cover.slice(id.length + 1)) }),
    ...(Object.keys(cover_alt).length > 0 ? { coverAlt: cover_alt } : {}),
    humanTranslation: human_translation,
    scopes: { can_view, can_join } as FolderEditorial['scopes'], // the columns' checks say so
    items,
    parts: Object.fromEntries(Object.entries(parts).map(([part, texts]) => [part, moved(texts)])),
    ...(schedule ? { schedule } : {}),
  };
}

function withPictures(markdown: string, place: (path: string) => string): string {
  return replacePictures(markdown, (src) => {
    const [path] = imageCandidates(src, '');
    const placed = path === undefined ? undefined : place(path);
    return placed === undefined || placed === path ? src : placed;
  });
}
