import { listCommunities } from '@officium/contract/community';
import { listArticles, listCatalogue } from '@officium/contract/content';
import { listEditorials } from '@officium/contract/editorials';
import type { Locale } from '@officium/i18n/locales';
import type { Attempt } from '../../server/api.ts';

/** Data of the signed-out front page. Lists may be empty. */
export type Front = {
  courses: { slug: string; title: string; subtitle: string; minutes: number; cover?: string | null; lang?: string }[];
  hubs: { slug: string; title: string; summary: string; lang?: string }[];
  communities: {
    slug: string;
    title: string;
    purpose: string;
    members: number;
    posts: number;
    cover?: string | null;
    lang?: string;
  }[];
  article: {
    slug: string;
    title: string;
    subtitle: string;
    author: string;
    cover?: string | null;
    lang?: string;
  } | null;
};

/** Loads the front page. A part that fails is left out. */
export async function readFront(attempt: Attempt, locale: Locale): Promise<Front> {
  const [catalogue, hubs, communities, articles] = await Promise.all([
    attempt(listCatalogue, { query: { locale } }),
    attempt(listEditorials, { params: { kind: 'hubs' }, query: { locale, limit: '3' } }),
    attempt(listCommunities, { query: { locale } }),
    attempt(listArticles, { query: { limit: '12' } }),
  ]);
  return {
    courses: catalogue.ok ? catalogue.body.courses.slice(0, 3).map(toCourse) : [],
    hubs: hubs.ok
      ? hubs.body.editorials.map(({ slug, title, summary, shownLocale }) => ({
          slug,
          title,
          summary,
          lang: shownLocale,
        }))
      : [],
    communities: communities.ok ? liveliest(communities.body.communities, 2).map(toCommunity) : [],
    article: articles.ok ? toArticle(articles.body.articles, locale) : null,
  };
}

type CourseCard = {
  slug: string;
  title: string;
  summary: string;
  minutes: number;
  shownLocale: string;
  cover: { url: string } | null;
};

export function toCourse({ slug, title, summary, minutes, shownLocale, cover }: CourseCard): Front['courses'][number] {
  return { slug, title, subtitle: summary, minutes, lang: shownLocale, cover: cover?.url };
}

type Community = {
  slug: string;
  title: string;
  description: string;
  locale: string;
  privacy: string;
  memberCount: number;
  activityCount: number;
};

/** The communities open to read with the most posts. */
export function liveliest<C extends Community>(communities: C[], count: number): C[] {
  return communities
    .filter(({ privacy }) => privacy === 'open-visible')
    .sort((one, other) => other.activityCount - one.activityCount)
    .slice(0, count);
}

export function toCommunity({ slug, title, description, locale, memberCount, activityCount }: Community) {
  return { slug, title, purpose: description, lang: locale, members: memberCount, posts: activityCount };
}

type ArticleCard = {
  slug: string;
  title: string;
  subtitle: string;
  locale: string;
  author: { name: string };
  coverImage: { url: string } | null;
};

/** The newest article in the viewer's language, else the newest. */
function toArticle(articles: ArticleCard[], locale: Locale): Front['article'] {
  const language = locale.split('-', 1)[0]!; // split returns at least one part
  const article = articles.find((one) => one.locale.startsWith(language)) ?? articles[0];
  if (!article) return null;
  const { slug, title, subtitle, author, coverImage } = article;
  return { slug, title, subtitle, author: author.name, cover: coverImage?.url, lang: article.locale };
}
