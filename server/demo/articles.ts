import { publishArticle } from '#server/areas/articles/article.service.ts';
import type { Ctx } from '../ctx.ts';
import { type DemoPeople, personOf } from './people.ts';
import { readArticles } from './read.ts';

/** Publishes the demo's articles with past dates. Skips articles that exist. */
export async function ensureArticles(ctx: Ctx, people: DemoPeople): Promise<void> {
  for (const { author, daysAgo, ...article } of await readArticles()) {
    const actor = personOf(people, author);
    const known = await ctx.db
      .selectFrom('articles')
      .select('id')
      .where('author_id', '=', actor.id)
      .where('title', '=', article.title)
      .executeTakeFirst();
    if (known) continue;
    const publishedDate = new Date(ctx.clock.now().getTime() - daysAgo * 24 * 3600_000);
    await publishArticle(ctx, actor, { ...article, publishedDate });
  }
}
