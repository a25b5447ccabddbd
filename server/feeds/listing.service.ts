import { ANONYMOUS } from '#server/access/viewer.ts';
import { listCommunities, readableCommunities } from '#server/areas/community/members/community.service.ts';
import { hasPage } from '#server/areas/catalogue/editorial.policy.ts';
import { seenEditorials } from '#server/areas/catalogue/editorial.service.ts';
import { listCatalogueFor } from '#server/areas/catalogue/catalogue.service.ts';
import { EDITORIAL_PAGES, type EditorialKind, type EditorialPage } from '@officium/contract/editorials';
import type { Ctx } from '#server/ctx.ts';
import { pagePath } from '#server/page-address.ts';
import * as repository from './listing.repository.ts';
import { PART_SIZE, type ListedAddress } from './sitemap.ts';

// Search engines learn only what an anonymous viewer may find.

const ALWAYS = [
  '/',
  '/courses',
  '/academies',
  '/communities',
  '/articles',
  '/accessibility-statement',
  '/privacy',
  '/help',
];

export const PARTS = ['pages', 'articles', 'posts'] as const;
export type PartName = (typeof PARTS)[number];

/** The files of the sitemap. */
export async function listParts(ctx: Ctx): Promise<ListedAddress[]> {
  const { discussions } = await readableCommunities(ctx, ANONYMOUS);
  const [pages, articles, posts] = await Promise.all([
    listPages(ctx),
    repository.getArticleExtent(ctx.db),
    repository.getPostExtent(ctx.db, discussions),
  ]);
  return [...files('pages', pages.length), ...files('articles', articles.total), ...files('posts', posts.total)];
}

function files(name: PartName, total: number): ListedAddress[] {
  return Array.from({ length: Math.ceil(total / PART_SIZE) }, (_, index) => ({
    path: `/sitemaps/${name}-${index + 1}.xml`,
  }));
}

/** One file of the sitemap; empty when there is none with that number. */
export async function listPart(ctx: Ctx, name: PartName, number: number): Promise<ListedAddress[]> {
  const page = { limit: PART_SIZE, offset: (number - 1) * PART_SIZE };
  switch (name) {
    case 'pages':
      return (await listPages(ctx)).slice(page.offset, page.offset + page.limit);
    case 'articles':
      return (await repository.findArticleChanges(ctx.db, page)).map(({ slug, changedAt }) => ({
        path: pagePath(['article', slug]),
        changedAt,
      }));
    case 'posts': {
      const { discussions } = await readableCommunities(ctx, ANONYMOUS);
      return (await repository.findPostChanges(ctx.db, discussions, page)).map(({ id, slug, changedAt }) => ({
        path: pagePath(['post', slug, id]),
        changedAt,
      }));
    }
  }
}

async function listPages(ctx: Ctx): Promise<ListedAddress[]> {
  const [{ courses, microcourses, academies }, editorials, communities] = await Promise.all([
    listCatalogueFor(ctx, ANONYMOUS, {}, 'en'),
    seenEditorials(ctx.db, ANONYMOUS),
    listOpenCommunities(ctx),
  ]);
  const content = [
    ...academies.map(({ id, slug }) => ({ id, path: pagePath(['academy', slug]) })),
    ...courses.map(({ id, slug }) => ({ id, path: pagePath(['course', slug]) })),
    ...microcourses.map(({ id, slug }) => ({ id, path: pagePath(['microcourse', slug]) })),
    ...editorials.flatMap(({ id, kind, slug }) => (hasPage(kind) ? { id, path: pagePath([kind, slug]) } : [])),
  ];
  const changes = await repository.findEntryChanges(
    ctx.db,
    content.map(({ id }) => id),
  );
  const lists = (Object.entries(EDITORIAL_PAGES) as [EditorialPage, EditorialKind][]) // keys of that table
    .filter(([, kind]) => editorials.some((row) => row.kind === kind));
  return [
    ...ALWAYS.map((path) => ({ path })),
    ...lists.map(([page]) => ({ path: `/${page}` })),
    ...(editorials.some(({ kind }) => kind === 'event') ? [{ path: '/events' }] : []),
    ...content.map(({ id, path }) => ({ path, changedAt: changes.get(id) })),
    ...communities.map(({ slug }) => ({ path: pagePath(['community', slug]) })),
  ];
}

const AT_ONCE = 100;

/** Communities whose posts are public; the others only have a page to join from. */
async function listOpenCommunities(ctx: Ctx): Promise<{ slug: string }[]> {
  const open: { slug: string }[] = [];
  for (let offset = 0, total = 1; offset < total; offset += AT_ONCE) {
    const page = await listCommunities(ctx, { viewer: ANONYMOUS, locale: 'en' }, { limit: AT_ONCE, offset });
    open.push(...page.communities.filter(({ privacy }) => privacy === 'open-visible'));
    total = page.total;
  }
  return open;
}
