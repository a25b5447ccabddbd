import type { Locale } from '@officium/contract/common';
import type { readArticleTranslation as operation } from '@officium/contract/translation';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { canReadArticles } from '#server/areas/articles/article.policy.ts';
import { getArticle, type FullArticleRow, holdArticle } from '#server/areas/articles/article.repository.ts';
import { samePicturesAs } from '#server/areas/articles/article-picture.policy.ts';
import { renderArticleBody } from '#server/areas/articles/article-text.service.ts';
import { type TextPart, translateOriginal } from './machine-translation.service.ts';

/** Returns an article in the requested language. In its own language it is returned unchanged. */
export async function translateArticle(
  ctx: Ctx,
  viewer: UserViewer,
  { slug, locale: target }: { slug: string; locale: Locale },
): Promise<ReplyOf<typeof operation>> {
  const row = await getArticle(ctx.db, slug);
  if (!row || !canReadArticles(viewer)) throw notFound();
  const { title, subtitle, tldr, locale: source } = row;
  if (source === target) return { title, subtitle, tldr, html: row.body_html, source, locale: target, machine: false };
  const original = { id: row.id, source, parts: partsOf(row), hold: holdOf(row) };
  const words = await translateOriginal(ctx, viewer, original, target);
  return {
    title: words.get('title') ?? title,
    subtitle: words.get('subtitle') ?? subtitle,
    tldr: tldr && (words.get('tldr') ?? tldr),
    html: renderArticleBody(words.get('body') ?? row.body, target, samePicturesAs(row.body_html)?.resolveImage).html,
    source,
    locale: target,
    machine: true,
  };
}

function partsOf({ title, subtitle, tldr, body }: FullArticleRow): TextPart[] {
  return [
    { part: 'title', encoding: 'plain-text', content: title },
    { part: 'subtitle', encoding: 'plain-text', content: subtitle },
    ...(tldr ? [{ part: 'tldr', encoding: 'plain-text', content: tldr } as const] : []),
    { part: 'body', encoding: 'markdown', content: body },
  ];
}

const holdOf = (row: FullArticleRow) => async (db: Ctx['db']) => await holdArticle(db, row.id, row.updated_at);
