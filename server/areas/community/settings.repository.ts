import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { type Db, runPrepared } from '#server/db/client.ts';

export type SettingsRow = {
  locale: Locale;
  rules: string[];
  rulesHtml: string[];
  slowModeSeconds: number;
  postsPerDay: number | null;
};

/** Undefined for a community that never set any. */
export async function getSettings(
  db: Db,
  { communityId, userId }: { communityId: string; userId: string },
): Promise<(SettingsRow & { waitPost: number; waitReply: number }) | undefined> {
  const [row] = await runPrepared(
    db,
    sql<SettingsRow & { waitPost: number; waitReply: number }>`
      select locale, rules, rules_html as "rulesHtml", slow_mode_seconds as "slowModeSeconds",
        posts_per_day as "postsPerDay", wait_in_community(community_id, ${userId}, true) as "waitPost",
        wait_in_community(community_id, ${userId}, false) as "waitReply"
      from community_settings where community_id = ${communityId}`,
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
