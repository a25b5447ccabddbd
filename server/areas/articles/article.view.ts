import { ANONYMOUS_USER_ID, DELETED_USER_NAME } from '@officium/contract/common';
import type { ArticleCard, readArticle } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Viewer } from '#server/access/viewer.ts';
import { toPerson } from '#server/areas/account/person.view.ts';
import { canEditArticle } from './article.policy.ts';
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

export function toArticle(row: FullArticleRow, viewer: Viewer): ReplyOf<typeof readArticle> {
  return {
    ...toArticleCard(row, viewer),
    id: row.id,
    html: row.body_html,
    body: row.body,
    headings: row.headings,
    seoTitle: row.seo_title,
    seoDescription: row.seo_description,
    updatedAt: row.updated_at.toISOString(),
    can: { edit: canEditArticle(viewer, { authorId: row.author_id }) },
  };
}
