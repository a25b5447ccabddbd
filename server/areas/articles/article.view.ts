import { ANONYMOUS_USER_ID, DELETED_USER_NAME } from '@officium/contract/common';
import type { ArticleCard, readArticle } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Viewer } from '#server/access/viewer.ts';
import { toPerson } from '#server/areas/account/person.view.ts';
import { canDeleteArticle, canEditArticle, canModerateArticle, canReportArticle } from './article.policy.ts';
import type { ArticleRow, FullArticleRow } from './article.repository.ts';

function toAuthor(row: ArticleRow, viewer: Viewer): ArticleCard['author'] {
  if (row.author_erased)
    return {
      id: ANONYMOUS_USER_ID,
      name: DELETED_USER_NAME,
      isDeleted: true,
      thumbnail: null,
      jobTitle: null,
      organization: null,
    };
  return toPerson({ ...row, id: row.author_id, name: row.author_name }, viewer);
}

export function toArticleCard(row: ArticleRow, viewer: Viewer): ArticleCard {
  return {
    slug: row.slug,
    title: row.title,
    subtitle: row.subtitle,
    tldr: row.tldr,
    tags: row.tags,
    coverImage: row.cover_image,
    author: toAuthor(row, viewer),
    authorTag: row.author_tag,
    type: row.type,
    locale: row.locale,
    humanTranslation: row.human_translation,
    minutes: row.minutes,
    publishedDate: row.published_date.toISOString(),
  };
}

/** `restorableUntil`: of a deleted article, which is shown to its author only. */
export function toArticle(
  row: FullArticleRow & { restorableUntil?: Date },
  viewer: Viewer,
): ReplyOf<typeof readArticle> {
  const { restorableUntil = null } = row;
  const facts = { authorId: row.author_id };
  return {
    ...toArticleCard(row, viewer),
    id: row.id,
    html: row.body_html,
    body: row.body,
    headings: row.headings,
    seoTitle: row.seo_title,
    seoDescription: row.seo_description,
    updatedAt: row.updated_at.toISOString(),
    restorableUntil: restorableUntil?.toISOString() ?? null,
    can: {
      edit: restorableUntil === null && canEditArticle(viewer, facts),
      delete: restorableUntil === null && canDeleteArticle(viewer, facts),
      report: canReportArticle(viewer, facts),
      moderate: canModerateArticle(viewer, facts),
    },
  };
}
