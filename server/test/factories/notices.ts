import type { TestApp } from '#server/test/app.ts';
import { newId } from '#server/db/client.ts';

/** A valid notice, as administrators send it. */
export const NOTICE = {
  level: 'information',
  audience: 'everyone',
  texts: { en: 'Maintenance on Sunday.' },
  startsAt: '2026-01-01T00:00:00.000Z',
} as const;

export async function makeNotice({ ctx }: Pick<TestApp, 'ctx'>): Promise<string> {
  const id = newId();
  const { startsAt: starts_at, texts, ...given } = NOTICE;
  await ctx.db
    .insertInto('site_notices')
    .values({ ...given, id, starts_at, texts: JSON.stringify(texts) })
    .execute();
  return id;
}
