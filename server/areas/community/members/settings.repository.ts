// Raw SQL: prepared, because every post and reply reads the settings with the access.
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { type Db, NOW, runPrepared } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type CommunityAccessRow } from './access.repository.ts';

export type SettingsRow = {
  locale: Locale;
  rules: string[];
  rulesHtml: string[];
  slowModeSeconds: number;
  postsPerDay: number | null;
};

/** Settings with the user's remaining wait, in seconds. */
export type SettingsFor = SettingsRow & { waitPost: number; waitReply: number };

/** A community with one user's access and its settings; null settings where none were saved. */
export async function getWithSettings(
  db: Db,
  { slug, userId }: { slug: string; userId: string },
): Promise<(CommunityAccessRow & { settings: SettingsFor | null }) | undefined> {
  const [row] = await runPrepared(
    db,
    sql<CommunityAccessRow & { settings: SettingsFor | null }>`
      select ${sql.raw(ACCESS_COLUMNS)}, (
        select json_build_object('locale', s.locale, 'rules', s.rules, 'rulesHtml', s.rules_html,
          'slowModeSeconds', s.slow_mode_seconds, 'postsPerDay', s.posts_per_day,
          'waitPost', wait_in_community(c.id, v.id, true), 'waitReply', wait_in_community(c.id, v.id, false))
        from community_settings s where s.community_id = c.id) as settings
      from (select ${userId}::uuid as id) v cross join ${sql.raw(ACCESS_SOURCE)}
      where c.slug = ${slug}`,
  );
  return row;
}

export async function putSettings(
  db: Db,
  { communityId, ...row }: SettingsRow & { communityId: string },
): Promise<void> {
  const values = {
    locale: row.locale,
    rules: row.rules,
    rules_html: row.rulesHtml,
    slow_mode_seconds: row.slowModeSeconds,
    posts_per_day: row.postsPerDay,
  };
  await db
    .insertInto('community_settings')
    .values({ community_id: communityId, ...values })
    .onConflict((stored) => stored.column('community_id').doUpdateSet({ ...values, updated_at: NOW }))
    .execute();
}

/** One rule by its number, as safe HTML. */
export async function getRule(db: Db, communityId: string, number: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('community_settings')
    .select('rules_html')
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  return row?.rules_html[number - 1];
}

/** The entry of a community's page. */
export async function getEntryId(db: Db, slug: string): Promise<string> {
  const row = await db.selectFrom('communities').select('entry_id').where('slug', '=', slug).executeTakeFirstOrThrow();
  return row.entry_id;
}
