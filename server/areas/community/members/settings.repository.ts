import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { type Db, runPrepared } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type CommunityAccessRow } from './access.repository.ts';

export type SettingsRow = {
  locale: Locale;
  rules: string[];
  rulesHtml: string[];
  slowModeSeconds: number;
  postsPerDay: number | null;
};

/** Settings with what somebody has to wait, in seconds. */
export type SettingsFor = SettingsRow & { waitPost: number; waitReply: number };

/** A community, how somebody stands to it, and its settings: null where none were ever set. */
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
  await sql`
    insert into community_settings (community_id, locale, rules, rules_html, slow_mode_seconds, posts_per_day)
    values (${communityId}, ${row.locale}, ${row.rules}::text[], ${row.rulesHtml}::text[], ${row.slowModeSeconds},
      ${row.postsPerDay})
    on conflict (community_id) do update set locale = excluded.locale, rules = excluded.rules,
      rules_html = excluded.rules_html, slow_mode_seconds = excluded.slow_mode_seconds,
      posts_per_day = excluded.posts_per_day, updated_at = now()`.execute(db);
}

/** One rule by its number, as safe HTML. */
export async function getRule(db: Db, communityId: string, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ html: string | null }>`
    select rules_html[${number}::int] as html from community_settings where community_id = ${communityId}`.execute(db);
  return rows[0]?.html ?? undefined;
}
