import type { Locale } from '@officium/contract/common';
import {
  EDITORIAL_PAGES,
  type EditorialPage,
  type listEditorials,
  type readEditorial,
} from '@officium/contract/editorials';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { chainOf } from '@officium/i18n/locales';
import type { Viewer } from '#server/access/viewer.ts';
import { seenCourses } from '#server/areas/catalogue/catalogue.service.ts';
import { readEditorialBodies, seenEditorials } from '#server/areas/catalogue/editorial.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { toEditorialCard } from './editorial.view.ts';
import { findItems } from './item.service.ts';

type Asking = { viewer: Viewer; locale: Locale };

/** A page of the editorials of one kind that the viewer may see. */
export async function listSeen(
  ctx: Ctx,
  { viewer, locale }: Asking,
  page: EditorialPage,
  { course, limit, offset }: InputOf<typeof listEditorials>['query'],
): Promise<ReplyOf<typeof listEditorials>> {
  const kind = EDITORIAL_PAGES[page];
  let courseId: string | undefined;
  if (course !== undefined) {
    const [seen] = await seenCourses(ctx.db, viewer, { by: 'slug', values: [course] });
    if (!seen) return { editorials: [], total: 0 };
    courseId = seen.row.id;
  }
  const rows = await seenEditorials(ctx.db, viewer, { kind, courseId });
  const shown = rows.slice(offset, offset + limit);
  const ids = kind === 'question' ? shown.map(({ id }) => id) : [];
  const bodies = await readEditorialBodies(ctx, { ids, chain: chainOf(locale) });
  return { editorials: shown.map((row) => toEditorialCard(row, bodies.get(row.id), locale)), total: rows.length };
}

export async function readSeen(
  ctx: Ctx,
  { viewer, locale }: Asking,
  page: EditorialPage,
  slug: string,
): Promise<ReplyOf<typeof readEditorial>> {
  const [row] = await seenEditorials(ctx.db, viewer, {
    kind: EDITORIAL_PAGES[page],
    named: { by: 'slug', values: [slug] },
  });
  if (!row) throw notFound();
  const body = (await readEditorialBodies(ctx, { ids: [row.id], chain: chainOf(locale) })).get(row.id);
  const items = await findItems({ ctx, viewer, locale }, row.id);
  return { ...toEditorialCard(row, body, locale), headings: body?.headings ?? [], items };
}
