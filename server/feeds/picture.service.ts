import { SlugParam, Uuid, type Locale } from '@officium/contract/common';
import { EDITORIAL_PAGES, type EditorialPage } from '@officium/contract/editorials';
import type { Activity } from '@officium/contract/community';
import { createTranslator } from '@officium/i18n/catalogue';
import type { z } from 'zod';
import { ANONYMOUS } from '#server/access/viewer.ts';
import { readPost } from '#server/areas/community/reading/post.service.ts';
import { readCommunity } from '#server/areas/community/members/community.service.ts';
import { readArticleBySlug } from '#server/areas/articles/article.service.ts';
import { assetUrl, fileOf } from '#server/areas/catalogue/stored-asset.view.ts';
import { readAcademyBySlug, readMicrocourseBySlug } from '#server/areas/catalogue/catalogue.service.ts';
import { readSeen as readSeenEvent } from '#server/areas/events/event.service.ts';
import { readSeen } from '#server/areas/hubs/editorial.service.ts';
import { readCourse, readLesson } from '#server/areas/learner/course.service.ts';
import { toCourse, toLesson } from '#server/areas/learner/course.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { takeTurns } from '#server/outside/turns.ts';
import { isUnstorable } from '#server/text/storable.ts';
import { picturePath } from '../../web/app/ui/share-picture.ts';
import { nameOf } from './person.ts';
import type { Card as DrawnCard } from './picture-drawing.ts';

/** The content of one page's picture. The name of the site, which all pictures show, is added later. */
type Card = Omit<DrawnCard, 'site'>;

const PAGES: Record<string, string> = {
  '/': 'home.title_short',
  '/courses': 'common.courses',
  '/academies': 'learning.academies',
  '/communities': 'community.list_title',
  '/articles': 'article.list_title',
};

/** The content of a page's picture and its current path. 404 for pages an anonymous viewer may not see. */
export async function readCard(ctx: Ctx, pathname: string, locale: Locale): Promise<{ card: DrawnCard; path: string }> {
  const card = await cardOf(ctx, pathname, locale).catch((error: unknown) => {
    // A 401 or 403 would reveal that the page exists.
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  });
  const { name: site } = ctx.site.current();
  const path = picturePath(encodeURI(pathname), locale, { title: card.title, cover: card.cover?.url, site });
  if (path === undefined) throw notFound();
  return { card: { ...card, site }, path };
}

async function cardOf(ctx: Ctx, pathname: string, locale: Locale): Promise<Card> {
  const { t } = createTranslator(locale);
  const page = PAGES[pathname];
  if (page !== undefined) return { title: t(page), kicker: t('common.tagline'), locale, seed: 'officium' };
  const [, place, ...parts] = pathname.split('/');
  if (parts.some((part) => !SlugParam.safeParse(part).success || isUnstorable(part))) throw notFound();
  const [first = '', second = '', third = ''] = parts;
  switch (`${place} ${parts.length}`) {
    case 'articles 1': {
      const article = await readArticleBySlug(ctx, ANONYMOUS, first);
      return {
        title: article.seoTitle || article.title,
        kicker: t('common.articles'),
        locale: article.locale,
        seed: first,
      };
    }
    case 'academies 1': {
      const { title, shownLocale } = await readAcademyBySlug(ctx, ANONYMOUS, first, locale);
      return { title, kicker: t('learning.academy'), locale: shownLocale, seed: first };
    }
    case 'microcourses 2': {
      if (first !== 'en') throw notFound();
      const { title, shownLocale } = await readMicrocourseBySlug(ctx, ANONYMOUS, second, locale);
      return { title, kicker: t('common.courses'), locale: shownLocale, seed: second };
    }
    case 'questions 1':
    case 'solutions 1':
    case 'hubs 1': {
      const page = place as EditorialPage; // one of these cases
      const { title, shownLocale } = await readSeen(ctx, { viewer: ANONYMOUS, locale }, page, first);
      return { title, kicker: t(`hub.kind_${EDITORIAL_PAGES[page]}`), locale: shownLocale, seed: first };
    }
    case 'events 1': {
      const { title, shownLocale } = await readSeenEvent(ctx, { viewer: ANONYMOUS, locale }, first);
      return { title, kicker: t('events.kind'), locale: shownLocale, seed: first };
    }
    case 'courses 1': {
      const { course, page, journeys } = await readCourse(ctx, ANONYMOUS, first);
      const { title, shownLocale } = toCourse(course, page, journeys, { locale, publicUrl: '' }).course;
      return { title, kicker: t('common.courses'), locale: shownLocale, seed: first };
    }
    case 'courses 3': {
      return await lessonCard(ctx, { courseSlug: first, journeySlug: second, lessonSlug: third, locale });
    }
    case 'communities 1': {
      const community = await readOpenCommunity(ctx, first, locale);
      const cover = coverOf(ctx, community.cover?.url);
      return { title: community.title, kicker: t('common.communities'), locale, seed: first, cover };
    }
    case 'communities 3': {
      if (second !== 'activities' || !Uuid.safeParse(third).success) throw notFound();
      return await postCard(ctx, { slug: first, id: third }, locale);
    }
    default:
      throw notFound();
  }
}

async function lessonCard(ctx: Ctx, at: Parameters<typeof readLesson>[2]): Promise<Card> {
  const { course, journey, page } = await readLesson(ctx, ANONYMOUS, at);
  const lesson = toLesson(course, journey, page, { locale: at.locale, publicUrl: '' });
  return {
    title: lesson.lesson.title,
    kicker: lesson.course.title,
    locale: lesson.lesson.shownLocale ?? at.locale,
    seed: at.courseSlug,
  };
}

async function postCard(ctx: Ctx, at: { slug: string; id: string }, locale: Locale): Promise<Card> {
  const { t } = createTranslator(locale);
  const community = await readOpenCommunity(ctx, at.slug, locale);
  const activity = JSON.parse(await readPost(ctx, { viewer: ANONYMOUS, locale }, at)) as z.output<typeof Activity>; // the contract's reply, as text
  const { title, actor } = activity;
  return {
    title: title ?? t('community.post_by', { name: nameOf(actor, t) }),
    kicker: community.title,
    locale: title === null ? locale : activity.locale,
    seed: at.slug,
  };
}

/** A stored picture, read only when it is drawn. */
function coverOf(ctx: Ctx, url: string | undefined): Card['cover'] {
  const stored = url === undefined ? undefined : fileOf(url.slice(assetUrl('').length));
  return url === undefined || !stored
    ? undefined
    : { url, read: async () => Buffer.from(await ctx.files.get(stored.file)) };
}

async function readOpenCommunity(
  ctx: Ctx,
  slug: string,
  locale: Locale,
): Promise<{ title: string; cover: { url: string } | null }> {
  const community = await readCommunity(ctx, { viewer: ANONYMOUS, locale }, slug);
  if (community.privacy !== 'open-visible') throw notFound();
  return community;
}

export type Pictures = {
  /** Whether the picture is cached, so that serving it costs nothing. */
  has(path: string): boolean;
  /** The picture of a path, drawn if needed; concurrent requests share one drawing. */
  get(path: string, card: DrawnCard): Promise<Buffer>;
};

/** Loads the drawing library with the first picture: some 40 MB that many processes never need. */
async function draw(card: DrawnCard): Promise<Buffer> {
  const { drawCard } = await import('./picture-drawing.ts');
  return await drawCard(card);
}

const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Caches the most recently used pictures in memory and draws one picture at a time. */
export function keepPictures(maxBytes = MAX_KEPT_BYTES): Pictures {
  const kept = new Map<string, Buffer>();
  const drawing = new Map<string, Promise<Buffer>>();
  const inTurn = takeTurns({ running: 1, waiting: 30 });
  let bytes = 0;

  const keep = (path: string, picture: Buffer) => {
    kept.set(path, picture);
    bytes += picture.length;
    for (const [oldest, { length }] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= length;
    }
  };
  return {
    has: (path) => kept.has(path),
    async get(path, card) {
      const known = kept.get(path);
      if (known) {
        kept.delete(path);
        kept.set(path, known); // reinserted as the newest
        return known;
      }
      let under = drawing.get(path);
      if (!under) {
        under = inTurn(() => draw(card)).finally(() => drawing.delete(path));
        drawing.set(path, under);
        keep(path, await under);
      }
      return await under;
    },
  };
}
