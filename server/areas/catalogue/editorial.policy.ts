import {
  EDITORIAL_KINDS,
  EDITORIAL_PARTS,
  type EditorialKind,
  type EditorialPart,
} from '@officium/contract/editorials';
import { LOCALES, type LocalizedText } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';

/** The content platform's name for each kind. */
export const EDITORIAL_TYPES = {
  question: 'qaQuestion',
  solution: 'solutionArticle',
  hub: 'learningHub',
  carousel: 'carousel',
  picture: 'imageHolder',
  event: 'event',
} as const satisfies Record<EditorialKind, string>;

const KIND_OF = new Map<string, EditorialKind>(EDITORIAL_KINDS.map((kind) => [EDITORIAL_TYPES[kind], kind]));

export function editorialKindOf(contentType: string | undefined): EditorialKind | undefined {
  return contentType === undefined ? undefined : KIND_OF.get(contentType);
}

export function isEditorialKind(kind: string): kind is EditorialKind {
  return EDITORIAL_KINDS.some((known) => known === kind);
}

/** Carousels and pictures have no page and are not products: every reader of their hub sees them. */
export function hasPage(kind: EditorialKind): kind is 'question' | 'solution' | 'hub' | 'event' {
  return kind !== 'carousel' && kind !== 'picture';
}

/** The Markdown texts of a kind, in the order they are read in. */
export function partNames(kind: EditorialKind): readonly EditorialPart[] {
  return EDITORIAL_PARTS[kind];
}

export type EditorialParts = Partial<Record<string, LocalizedText>>;

/** The parts that say something in some language. */
export function partsOf(kind: EditorialKind, from: object): EditorialParts {
  const given = from as EditorialParts; // only the parts of the kind are read
  return Object.fromEntries(
    partNames(kind).flatMap((part) => {
      const text = given[part];
      return text && Object.keys(text).length > 0 ? [[part, text]] : [];
    }),
  );
}

/**
 * The Markdown of the page, by language: the parts under their headings, in the order of the kind. A kind of one part has
 * no headings. A language has a page when it has the first part.
 */
export function composeBody(kind: EditorialKind, from: object): LocalizedText {
  const parts = partsOf(kind, from);
  const names = partNames(kind);
  const [first] = names;
  const body: LocalizedText = {};
  for (const locale of LOCALES) {
    if (first === undefined || !parts[first]?.[locale]) continue;
    const { t } = createTranslator(locale);
    body[locale] = names
      .flatMap((part) => {
        const text = parts[part]?.[locale];
        if (!text) return [];
        return names.length > 1 ? [`## ${t(`hub.part_${part}`)}`, text] : [text];
      })
      .join('\n\n');
  }
  return body;
}
