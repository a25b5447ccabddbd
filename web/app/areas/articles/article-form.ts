import type { createArticle, readArticle } from '@officium/contract/content';
import type { CallOf, ReplyOf } from '@officium/contract/endpoint';
import { isLocale } from '@officium/i18n/locales';
import type { Issue } from '../../form/state.ts';
import { TOPICS, topicSlug, type Topic } from '../../topics.ts';

type ArticleBody = CallOf<typeof createArticle>['body'];
type Article = ReplyOf<typeof readArticle>;
export type Values = Record<string, string>;

/** Copied from the contract, whose module would bring zod into the browser. article-form.test.ts compares them. */
export const LIMITS = {
  title: { min: 10, max: 65 },
  subtitle: { min: 10, max: 115 },
  body: { min: 10, maxBytes: 65_536 },
  tldr: { max: 1000 },
  tags: 3,
} as const;

const COVER = ['url', 'width', 'height', 'authorName', 'authorLink', 'description', 'title', 'color'] as const;

export function tagName(topic: Topic): string {
  return `tag-${topicSlug(topic)}`;
}

/** The submitted fields as the body of the call. A cover with no field filled in is left out. */
export function articleOf(fields: FormData): ArticleBody {
  const text = (name: string) => String(fields.get(name) ?? '').trim();
  const pixels = (name: string) => (text(name) ? Number(text(name)) : undefined);
  const locale = text('locale');
  const hasCover = COVER.some((part) => text(`cover_${part}`));
  return {
    title: text('title'),
    subtitle: text('subtitle'),
    body: text('body'),
    tldr: text('tldr') || null,
    tags: TOPICS.filter((topic) => fields.has(tagName(topic))),
    humanTranslation: !fields.has('machine'),
    ...(isLocale(locale) ? { locale } : {}),
    coverImage: hasCover
      ? {
          url: text('cover_url'),
          // The API reports missing fields one by one.
          width: pixels('cover_width') as number,
          height: pixels('cover_height') as number,
          authorName: text('cover_authorName'),
          authorLink: text('cover_authorLink'),
          description: text('cover_description') || null,
          title: text('cover_title') || null,
          color: text('cover_color') || null,
        }
      : null,
  };
}

/** An article as the fields of its form. */
export function valuesOf(
  article: Pick<
    Article,
    'title' | 'subtitle' | 'body' | 'tldr' | 'tags' | 'humanTranslation' | 'locale' | 'coverImage' | 'updatedAt'
  >,
): Values {
  const { title, subtitle, body, tldr, tags, humanTranslation, locale, coverImage, updatedAt } = article;
  return {
    title,
    subtitle,
    body,
    tldr: tldr ?? '',
    locale,
    basedOn: updatedAt,
    ...Object.fromEntries(tags.map((tag) => [tagName(tag), 'on'])),
    ...(humanTranslation ? {} : { machine: 'on' }),
    ...Object.fromEntries(COVER.map((part) => [`cover_${part}`, String(coverImage?.[part] ?? '')])),
  };
}

/** Maps API issues to form fields: `coverImage.url` becomes `cover_url`. */
export function toFieldIssues(issues: Issue[]): Issue[] {
  return issues.map(({ path, message }) => {
    const [head, part] = path.split('.');
    if (head === 'tags') return { path: 'tags', message };
    return { path: head === 'coverImage' ? `cover_${part ?? 'url'}` : path, message };
  });
}

/** Length as the API counts it: code points, without surrounding whitespace. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text.trim()).length;
}
