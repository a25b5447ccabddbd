import type { Locale } from '@officium/contract/common';
import { ARTICLE_LIMITS, type ArticleInput } from '@officium/contract/content';
import type { Db } from '#server/db/client.ts';
import { type AppError, invalid } from '#server/errors.ts';
import { PAGE_BLOCKS } from '#server/text/blocks/registry.ts';
import { textLabels } from '#server/text/labels.ts';
import { markdownToPlainText, type RenderOptions } from '#server/text/markdown.ts';
import { renderPage } from '#server/text/page.ts';
import { readingMinutes } from '#server/text/reading-time.ts';
import { isBlank, sanitiseRichText, stripMarkup } from '#server/text/sanitise.ts';
import { pictureOf, picturesIn } from './article-picture.policy.ts';
import { findUsable, shownFrom, type UsablePictures } from './article-picture.service.ts';
import type { ArticleText } from './article.repository.ts';

type Cover = NonNullable<ArticleInput['coverImage']>;

/** Sanitises the input and checks the limits on the result. */
export async function toText(
  db: Db,
  input: ArticleInput,
  { locale, ...by }: { locale: Locale; authorId: string; articleId?: string },
): Promise<ArticleText> {
  const title = plain('title', input.title, ARTICLE_LIMITS.title);
  const subtitle = plain('subtitle', input.subtitle, ARTICLE_LIMITS.subtitle);
  const pictures = await findUsable(
    db,
    { body: input.body, cover: input.coverImage?.url },
    { articleId: undefined, ...by },
  );
  const { body, html, headings, minutes } = renderArticleBody(input.body, locale, shownFrom(pictures));
  if ([...body].length < ARTICLE_LIMITS.bodyMin) throw outside('body', `at least ${ARTICLE_LIMITS.bodyMin}`);
  const { humanTranslation, tags, coverImage, tldr } = input;
  return {
    title,
    subtitle,
    body,
    bodyHtml: html,
    headings,
    humanTranslation,
    tags,
    locale,
    tldr: tldr === null ? null : stripMarkup(tldr, { multiline: true }) || null,
    coverImage: coverImage && {
      ...sized(coverImage, pictures),
      authorName: plain('coverImage.authorName', coverImage.authorName, ARTICLE_LIMITS.authorName),
      title: coverImage.title && stripMarkup(coverImage.title),
      description: coverImage.description && stripMarkup(coverImage.description),
    },
    minutes,
  };
}

/** A cover with the size and colour of its file, if it was uploaded. */
function sized(cover: Cover, pictures: UsablePictures): Cover {
  const id = pictureOf(cover.url);
  if (id === undefined) return cover;
  const picture = pictures.get(id);
  if (!picture) throw invalid('coverImage.url', 'Must be a picture that you uploaded for this article');
  const { width, height, color } = picture;
  return { ...cover, width, height, color };
}

/** The ids of the uploaded pictures in an article, with its cover. */
export function picturesOf({ bodyHtml, coverImage }: ArticleText): string[] {
  return [...new Set([...picturesIn(bodyHtml), ...(coverImage ? [pictureOf(coverImage.url) ?? []].flat() : [])])];
}

/** Renders an article body; returns the sanitised source to store and the HTML. */
export function renderArticleBody(source: string, locale: Locale, resolveUploaded?: RenderOptions['resolveImage']) {
  const body = sanitiseRichText(source).trim();
  const { html, headings } = renderPage(body, {
    blocks: PAGE_BLOCKS,
    resolveImage: (src) => (src.startsWith('https://') ? src : resolveUploaded?.(src)),
    ...textLabels(locale),
  });
  return { body, html, headings, minutes: readingMinutes(markdownToPlainText(body, { blocks: PAGE_BLOCKS })) };
}

/** Strips markup to one line and checks the length of the result. */
function plain(path: string, value: string, { min, max }: { min: number; max: number }): string {
  const text = stripMarkup(value);
  const length = isBlank(text) ? 0 : [...text].length;
  if (length < min) throw outside(path, `at least ${min}`);
  if (length > max) throw outside(path, `at most ${max}`);
  return text;
}

const NAMES: Record<string, string> = { title: 'Title', subtitle: 'Subtitle', body: 'Body' };

function outside(path: string, limit: string): AppError {
  return invalid(
    path,
    `${NAMES[path] ?? 'Author name'} must have ${limit} character${limit.endsWith(' 1') ? '' : 's'}`,
  );
}
