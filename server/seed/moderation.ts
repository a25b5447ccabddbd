import { sql } from 'kysely';
import type { SeedPart } from './run.ts';

/** Decisions and open cases. Removed posts were already inserted as removed (see talk.ts). */
export const moderation: SeedPart = {
  name: 'reports and decisions',
  async fill({ db }) {
    await sql`
      insert into moderation_decisions (id, community_id, kind, object_id, activity_id, author_id, decided_by, decided_at,
        reason, by_report, held, appeal_text, appealed_at, outcome, outcome_by, outcome_at)
      select pg_temp.id_at(a.deleted_at), a.community_id, 'activity', a.id, a.id, a.author_id, a.deleted_by, a.deleted_at,
        (array['spam', 'insult', 'false', 'other'])[1 + p.nth % 4], p.nth % 3 > 0,
        case when a.deleted_at > now() - interval '170 days' then jsonb_build_object('title', a.title, 'body', a.body,
          'body_html', a.body_html, 'locale', a.locale, 'mentioned', a.mentioned, 'created_at', a.created_at) end,
        case when t.appealed_at is not null then 'I do not think that this broke a rule.' end, t.appealed_at,
        case when t.outcome_at is not null then 'upheld' end, case when t.outcome_at is not null then a.deleted_by end, t.outcome_at
      from activities a join seed_posts p on p.id = a.id,
        lateral (select case when p.nth % 7 = 0 then a.deleted_at + interval '20 minutes' end as appealed_at,
          case when p.nth % 7 = 0 and a.deleted_at < now() - interval '9 days' then a.deleted_at + interval '1 day' end as outcome_at) t
      where a.deleted_at is not null`.execute(db);
    // Several people report the same activity, and one decision closes all of its reports.
    await sql`
      insert into content_reports (id, community_id, activity_id, object_id, user_id, reason, status, decided_by, decided_at,
        decision_reason, created_at, updated_at)
      select pg_temp.id_at(at), r.community_id, r.activity_id, r.object_id, m.user_id,
        (array['spam', 'insult', 'false', 'other'])[1 + (r.nth + k) % 4], r.status,
        case when r.status <> 'open' then r.decided_by end, case when r.status <> 'open' then r.decided_at end,
        case when r.status = 'removed' then 'spam' end, at, case r.status when 'open' then at else r.decided_at end
      from (
        select p.nth, p.community_id, p.id as activity_id, p.id as object_id, p.user_id as author_id, p.at as since,
          case when d.id is not null then 'removed' when p.nth % 300 = 19 then 'open' else 'dismissed' end as status,
          coalesce(d.decided_by, admin.id) as decided_by, coalesce(d.decided_at, p.at + 0.6 * (now() - p.at)) as decided_at
        from seed_posts p left join moderation_decisions d on d.object_id = p.id,
          (select id from users where role = 'administrator' order by id limit 1) admin
        where case when d.id is not null then d.by_report else p.nth % 50 = 19 end
        union all
        select row_number() over (order by s.id)::int, p.community_id, p.id, s.id, s.user_id, s.at, 'open', null, null
        from seed_replies s join seed_posts p on p.id = s.activity_id and p.removed_at is null
        where ('x' || right(s.id::text, 3))::bit(12)::int % 400 = 0) r
      join seed_communities c on c.id = r.community_id
      cross join generate_series(1, 3) k
      join seed_members m on m.community_id = c.id and m.nth = 1 + (r.nth * 31 + k * 7) % c.members,
        lateral (select r.since + random() * 0.5 * (coalesce(r.decided_at, now()) - r.since) as at) t
      where k <= 1 + r.nth % 3 and m.user_id <> r.author_id
      on conflict do nothing`.execute(db);
    await sql`
      insert into audit_log (id, actor, action, object, detail, request_id, created_at)
      select pg_temp.id_at(d.at), d.actor, d.action, d.object, d.detail, gen_random_uuid(), d.at
      from (
        select decided_at as at, decided_by::text as actor, 'community.delete-activity' as action, object_id::text as object,
          jsonb_build_object('authorId', author_id, 'communityId', d.community_id, 'reason', reason) as detail
        from moderation_decisions d join seed_posts p on p.id = object_id
        union all
        select r.decided_at, r.decided_by::text, 'moderation.dismiss-reports', r.object_id::text,
          jsonb_build_object('communityId', r.community_id, 'decided', count(*))
        from content_reports r join seed_posts p on p.id = r.object_id where r.status = 'dismissed'
        group by r.decided_at, r.decided_by, r.object_id, r.community_id) d
      order by d.at`.execute(db);
  },
};
