import { sql } from 'kysely';
import type { SeedPart } from './run.ts';

/** Actions of administrators and services on the seeded rows. */
export const audit: SeedPart = {
  name: 'audit log',
  async fill({ db, people }) {
    await sql`
      create temporary table seed_things on commit drop as
      select row_number() over ()::int as nth, t.* from (
        select 'admin.add-cohort-user' as action, id::text as object, '{}'::jsonb as detail from seed_cohorts
        union all select 'admin.update-cohort', id::text, '{"fields": ["notes"]}' from seed_cohorts
        union all select 'admin.set-permission', entry_id, '{"permission": "can_join", "scope": "verified", "before": "private"}' from products
        union all (select 'people.decide-registration', id::text, '{"status": "approved"}' from seed_people limit 5000)
        union all (select 'learner.give-product', id::text, '{}' from seed_people offset 5000 limit 2000)
        union all select 'people.create-auto-approval', id::text, jsonb_build_object('type', type) from auto_approvals) t`.execute(
      db,
    );
    await sql`create unique index on seed_things (nth)`.execute(db);
    await sql`
      insert into audit_log (id, actor, action, object, detail, request_id, created_at)
      select pg_temp.id_at(at), coalesce(a.actor, 'service:records'), t.action, t.object, t.detail, gen_random_uuid(), at
      from (
        select i, 1 + floor(random() * (select count(*) from seed_things))::int as thing, now() - random() * interval '700 days' as at
        from generate_series(1, ${people * 2}::int) i) d
      join seed_things t on t.nth = d.thing
      left join (
        select row_number() over (order by id)::int - 1 as nth, id::text as actor, count(*) over ()::int as total
        from users where role = 'administrator') a on a.nth = d.i % (a.total + 1)
      order by at`.execute(db);
  },
};

/** Already delivered, so that seeding sends nothing. */
export const notifications: SeedPart = {
  name: 'notifications',
  async fill({ db }) {
    await sql`
      insert into notifications (id, user_id, event, object_id, activity_id, since_id, created_at, updated_at, read_at, mailed_at)
      select pg_temp.id_at(at), user_id, event, object_id, activity_id, since_id, at, at,
        case when random() < 0.7 then at + interval '5 hours' end, at + interval '1 minute'
      from (
        select a.author_id as user_id, 'reply' as event, a.id as object_id, a.id as activity_id, min(r.id::text)::uuid as since_id, min(r.at) as at
        from seed_replies r join activities a on a.id = r.activity_id where r.user_id <> a.author_id group by a.author_id, a.id
        union all
        select m.user_id, 'cohort_membership', m.cohort_id, null, null, m.joined_at
        from cohort_members m join seed_people p on p.id = m.user_id where p.nth % 8 = 0
        union all
        select c.user_id, 'certificate', c.id, null, null, c.issued_at from certificates c join seed_people p on p.id = c.user_id) n
      on conflict do nothing`.execute(db);
  },
};

const MAILS = [
  ['sign_up_code', 'Your code for Officium', 'This code has expired.'],
  ['cohort_invitation', 'You are invited to learn with us', 'You have been invited to a cohort.'],
  ['password_reset', 'Reset your password', 'The link in this mail has been used.'],
  ['notification', 'You have a new reply', 'Someone replied to your post.'],
] as const;

export const mails: SeedPart = {
  name: 'mails',
  async fill({ db, people }) {
    const kinds = MAILS.map(([kind, subject, text]) => ({ kind, subject, text }));
    await sql`
      insert into mails (id, user_id, recipient, kind, locale, subject, body_text, body_html, status, attempts, last_error, created_at, sent_at)
      select pg_temp.id_at(at), u.id, u.email, k.kind, u.locale, k.subject, k.text, '<p>' || k.text || '</p>',
        case when dice < 0.97 then 'sent' when dice < 0.99 then 'failed' else 'expired' end, 1 + (dice > 0.96)::int,
        case when dice >= 0.97 and dice < 0.99 then '550 5.1.1 There is no such mailbox' end, at,
        case when dice < 0.97 then at + interval '4 seconds' end
      from (
        select p.id, p.nth, random() as dice, now() - interval '1 hour' - random() * interval '90 days' as at from seed_people p) d
      join users u on u.id = d.id
      join (select row_number() over () as nth, k.* from jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb) k (kind text, subject text, text text)) k
        on k.nth = 1 + d.nth % ${MAILS.length}
      limit ${people}`.execute(db);
    await sql`
      insert into connections (id, low_id, high_id, asker_id, status, created_at, updated_at)
      select pg_temp.id_at(at), least(a.id, b.id), greatest(a.id, b.id), a.id, 'accepted', at, at
      from seed_people a join seed_people b on b.nth = a.nth + 1 + a.nth % 5,
        lateral (select now() - random() * interval '300 days' as at where a.nth > 0) t
      where a.nth % 2 = 0
      on conflict do nothing`.execute(db);
    await sql`
      insert into sessions (token_hash, id, user_id, user_agent, created_at, last_seen_at, authenticated_at, expires_at)
      select sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), pg_temp.id_at(at), p.id,
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0', at, at + random() * (now() - at), at, at + interval '30 days'
      from seed_people p, lateral (select now() - random() * interval '28 days' as at where p.nth > 0) t
      where p.is_active and p.nth % 12 = 0`.execute(db);
  },
};
