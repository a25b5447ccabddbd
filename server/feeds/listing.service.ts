import { ANONYMOUS } from '#server/access/viewer.ts';
import { listCommunities, readableCommunities } from '#server/areas/community/members/community.service.ts';
import { listCatalogueFor } from '#server/areas/catalogue/catalogue.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { pagePath } from '#server/page-address.ts';
import * as repository from './listing.repository.ts';
import { PART_SIZE, type ListedAddress } from './sitemap.ts';

// What search engines are told of is what somebody without an account may come upon, and nothing else.

const ALWAYS = ['/', '/courses', '/academies', '/communities', '/articles', '/accessibility-statement', '/privacy'];

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

/** One file of the sitemap; nothing when there is none of that number. */
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
  const [{ courses, microcourses, academies }, communities] = await Promise.all([
    listCatalogueFor(ctx, ANONYMOUS, {}, 'en'),
    listOpenCommunities(ctx),
  ]);
  const content = [
    ...academies.map(({ id, slug }) => ({ id, path: pagePath(['academy', slug]) })),
    ...courses.map(({ id, slug }) => ({ id, path: pagePath(['course', slug]) })),
    ...microcourses.map(({ id, slug }) => ({ id, path: pagePath(['microcourse', slug]) })),
  ];
  const changes = await repository.findEntryChanges(
    ctx.db,
    content.map(({ id }) => id),
  );
  return [
    ...ALWAYS.map((path) => ({ path })),
    ...content.map(({ id, path }) => ({ path, changedAt: changes.get(id) })),
    ...communities.map(({ slug }) => ({ path: pagePath(['community', slug]) })),
  ];
}

const AT_ONCE = 100;

/** Those whose posts are open to everybody; of the others there is only a page that asks to join. */
async function listOpenCommunities(ctx: Ctx): Promise<{ slug: string }[]> {
  const open: { slug: string }[] = [];
  for (let offset = 0, total = 1; offset < total; offset += AT_ONCE) {
    const page = await listCommunities(ctx, { viewer: ANONYMOUS, locale: 'en' }, { limit: AT_ONCE, offset });
    open.push(...page.communities.filter(({ privacy }) => privacy === 'open-visible'));
    total = page.total;
  }
  return open;
}
