import { SlugParam, Uuid, type Locale } from '@officium/contract/common';
import type { Activity } from '@officium/contract/community';
import { createTranslator } from '@officium/i18n/catalogue';
import type { z } from 'zod';
import { ANONYMOUS } from '#server/access/viewer.ts';
import { readPost } from '#server/areas/community/reading/post.service.ts';
import { readCommunity } from '#server/areas/community/members/community.service.ts';
import { readArticleBySlug } from '#server/areas/articles/article.service.ts';
import { readAcademyBySlug, readMicrocourseBySlug } from '#server/areas/catalogue/catalogue.service.ts';
import { readCourse, readLesson } from '#server/areas/learner/course.service.ts';
import { toCourse, toLesson } from '#server/areas/learner/course.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { takeTurns } from '#server/outside/turns.ts';
import { isUnstorable } from '#server/text/storable.ts';
import { picturePath } from '../../web/app/ui/share-picture.ts';
import { nameOf } from './person.ts';
import type { Card } from './picture-drawing.ts';

const PAGES: Record<string, string> = {
  '/': 'home.title_short',
  '/courses': 'common.courses',
  '/academies': 'learning.academies',
  '/communities': 'community.list_title',
  '/articles': 'article.list_title',
};

/** What the picture of a page shows, and the path it has now. 404 for what a stranger may not see. */
export async function readCard(ctx: Ctx, pathname: string, locale: Locale): Promise<{ card: Card; path: string }> {
  const card = await cardOf(ctx, pathname, locale).catch((error: unknown) => {
    // To be asked to sign in would say that there is something.
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  });
  const path = picturePath(encodeURI(pathname), locale, card.title);
  if (path === undefined) throw notFound();
  return { card, path };
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
    case 'courses 1': {
      const { course, page, journeys } = await readCourse(ctx, ANONYMOUS, first);
      const { title, shownLocale } = toCourse(course, page, journeys, { locale, publicUrl: '' }).course;
      return { title, kicker: t('common.courses'), locale: shownLocale, seed: first };
    }
    case 'courses 3': {
      const at = { courseSlug: first, journeySlug: second, lessonSlug: third, locale };
      const { course, journey, page } = await readLesson(ctx, ANONYMOUS, at);
      const lesson = toLesson(course, journey, page, { locale, publicUrl: '' });
      return {
        title: lesson.lesson.title,
        kicker: lesson.course.title,
        locale: lesson.lesson.shownLocale ?? locale,
        seed: first,
      };
    }
    case 'communities 1': {
      const community = await readOpenCommunity(ctx, first, locale);
      return { title: community.title, kicker: t('common.communities'), locale, seed: first };
    }
    case 'communities 3': {
      if (second !== 'activities' || !Uuid.safeParse(third).success) throw notFound();
      const community = await readOpenCommunity(ctx, first, locale);
      const at = { slug: first, id: third };
      const activity = JSON.parse(await readPost(ctx, { viewer: ANONYMOUS, locale }, at)) as z.output<typeof Activity>; // the contract's, as text
      const { title, actor } = activity;
      return {
        title: title ?? t('community.post_by', { name: nameOf(actor, t) }),
        kicker: community.title,
        locale: title === null ? locale : activity.locale,
        seed: first,
      };
    }
    default:
      throw notFound();
  }
}

async function readOpenCommunity(ctx: Ctx, slug: string, locale: Locale): Promise<{ title: string }> {
  const community = await readCommunity(ctx, { viewer: ANONYMOUS, locale }, slug);
  if (community.privacy !== 'open-visible') throw notFound();
  return community;
}

export type Pictures = {
  /** Whether it is at hand, so that giving it costs nothing. */
  has(path: string): boolean;
  /** The picture of a path, drawn if need be. Asked by many at once it is drawn once. */
  get(path: string, card: Card): Promise<Buffer>;
};

/** What it takes to draw is loaded with the first picture: some 40 MB that many processes never need. */
async function draw(card: Card): Promise<Buffer> {
  const { drawCard } = await import('./picture-drawing.ts');
  return await drawCard(card);
}

const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Keeps what was asked for last, in memory, and draws one picture at a time. */
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
        kept.set(path, known); // the last to be let go
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
