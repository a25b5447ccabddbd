/** A part of a page below one heading. The first has the title of the page. */
export type HelpSection = { id: string; title: string; text: string };

/** A page of the help, rendered when the pages are built. */
export type HelpPage = {
  slug: string;
  /** A guide for one kind of reader; else a document that the guides build on. */
  isGuide: boolean;
  title: string;
  html: string;
  sections: HelpSection[];
};

export type HelpFinding = { address: string; page: string; section: string | null; excerpt: string };

const MAX_FINDINGS = 20;
const EXCERPT = 180;

/** Sections with all words of a query; those with the words in their title come first. */
export function searchHelp(pages: readonly HelpPage[], query: string): HelpFinding[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const ranked = pages.flatMap((page) =>
    page.sections.flatMap((section, at) => {
      const title = section.title.toLowerCase();
      const all = `${page.title} ${title} ${section.text}`.toLowerCase();
      if (!words.every((word) => all.includes(word))) return [];
      const inTitle = words.filter((word) => title.includes(word)).length;
      return [{ rank: inTitle * 2 + (page.isGuide ? 1 : 0), finding: findingOf(page, section, { at, words }) }];
    }),
  );
  return ranked
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MAX_FINDINGS)
    .map(({ finding }) => finding);
}

function findingOf(
  page: HelpPage,
  { id, title, text }: HelpSection,
  { at, words }: { at: number; words: string[] },
): HelpFinding {
  const found = Math.max(0, text.toLowerCase().indexOf(words[0] ?? ''));
  const begin = found < EXCERPT / 2 ? 0 : text.indexOf(' ', found - EXCERPT / 2) + 1;
  const excerpt = text.slice(begin, begin + EXCERPT).trim();
  return {
    address: `/help/${page.slug}${at === 0 ? '' : `#${id}`}`,
    page: page.title,
    section: at === 0 ? null : title,
    excerpt: `${begin > 0 ? '… ' : ''}${excerpt}${begin + EXCERPT < text.length ? ' …' : ''}`,
  };
}
