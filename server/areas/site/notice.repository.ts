import type { LocalizedText } from '@officium/contract/common';
import type { SiteNotice } from '@officium/contract/site-notices';
import type { Db } from '#server/db/client.ts';
import { NOW } from '#server/db/client.ts';

export type NoticeRow = Pick<SiteNotice, 'id' | 'version' | 'level' | 'audience' | 'url' | 'state'> & {
  texts: LocalizedText;
  starts_at: Date;
  ends_at: Date | null;
  changed_at: Date;
};
export type NoticeValues = Pick<SiteNotice, 'level' | 'audience' | 'texts' | 'url' | 'startsAt' | 'endsAt'>;

const selectNotices = (db: Db) =>
  db
    .selectFrom('site_notices')
    .select(['id', 'version', 'level', 'audience', 'texts', 'url', 'starts_at', 'ends_at', 'changed_at'])
    .select((eb) =>
      eb
        .case()
        .when('ends_at', '<=', NOW)
        .then('ended')
        .when('starts_at', '>', NOW)
        .then('planned')
        .else('shown')
        .end()
        .as('state'),
    )
    .$narrowType<NoticeRow>();

/** The latest start first. */
export async function findNotices(db: Db, limit: number): Promise<NoticeRow[]> {
  return await selectNotices(db).orderBy('starts_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

export async function getNotice(db: Db, id: string): Promise<NoticeRow | undefined> {
  return await selectNotices(db).where('id', '=', id).executeTakeFirst();
}

export async function lockNotice(db: Db, id: string): Promise<NoticeRow | undefined> {
  return await selectNotices(db).where('id', '=', id).forUpdate().executeTakeFirst();
}

const toColumns = ({ level, audience, texts, url, startsAt, endsAt }: NoticeValues) => ({
  level,
  audience,
  texts: JSON.stringify(texts),
  url,
  starts_at: startsAt,
  ends_at: endsAt,
});

export async function insertNotice(db: Db, id: string, values: NoticeValues): Promise<void> {
  await db
    .insertInto('site_notices')
    .values({ id, ...toColumns(values) })
    .execute();
}

export async function updateNotice(db: Db, id: string, values: NoticeValues): Promise<void> {
  await db
    .updateTable('site_notices')
    .set((eb) => ({ ...toColumns(values), version: eb('version', '+', 1), changed_at: NOW }))
    .where('id', '=', id)
    .execute();
}

export async function deleteNotice(db: Db, id: string): Promise<void> {
  await db.deleteFrom('site_notices').where('id', '=', id).execute();
}
