import { pages, version } from 'virtual:help';
import { type HelpFinding, type HelpPage, searchHelp } from './help.ts';

/** The limit of the site's search. */
export const MAX_QUERY = 200;

/** The guides with their tasks, and the documents they build on. */
export function listHelp(): { guides: Listed[]; reference: Listed[] } {
  const listed = (isGuide: boolean) =>
    pages
      .filter((page) => page.isGuide === isGuide)
      .map(({ slug, title, sections }) => ({ slug, title, tasks: tasksOf(sections) }));
  return { guides: listed(true), reference: listed(false).map((page) => ({ ...page, tasks: [] })) };
}

export type Listed = { slug: string; title: string; tasks: { id: string; title: string }[] };

function tasksOf(sections: HelpPage['sections']): Listed['tasks'] {
  return sections.slice(1).map(({ id, title }) => ({ id, title }));
}

type ShownPage = Pick<HelpPage, 'title' | 'html'> & { tasks: Listed['tasks']; version: string };

export function readHelpPage(slug: string): ShownPage | undefined {
  const page = pages.find((one) => one.slug === slug);
  return page && { title: page.title, html: page.html, tasks: tasksOf(page.sections), version };
}

export function findHelp(query: string): HelpFinding[] {
  return searchHelp(pages, query);
}
