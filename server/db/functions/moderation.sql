-- Removals by moderators.

-- Records that a text was removed by someone other than its author, and closes open reports. The text of an erased author
-- is not kept. Returns the id of the decision.
create or replace function record_removal(what text, object uuid, activity uuid, place uuid, author uuid, by_whom uuid, as_it_was jsonb)
returns uuid language plpgsql as $$
declare
  decision uuid := new_id();
  is_erased boolean;
  ended integer;
begin
  select u.erased_at is not null into is_erased from users u where u.id = author for key share;
  insert into moderation_decisions (id, community_id, kind, object_id, activity_id, author_id, decided_by, held)
  values (decision, place, what, object, activity, author, by_whom, case when not is_erased then as_it_was end);
  update content_reports set status = 'removed', decided_by = by_whom, decided_at = now(), decision_reason = 'other'
  where object_id = object and status = 'open';
  get diagnostics ended = row_count;
  update moderation_decisions set by_report = ended > 0 where id = decision and ended > 0;
  delete from moderation_claims where object_id = object;
  return decision;
end $$;

-- Records the removal of an article.
create or replace function record_article_removal() returns trigger language plpgsql as $$
begin
  perform record_removal('article', new.id, null, null, new.author_id, new.withdrawn_by,
    jsonb_build_object('title', new.title, 'body', new.body, 'body_html', new.body_html, 'locale', new.locale,
      'mentioned', '[]'::jsonb, 'created_at', new.published_date));
  return null;
end $$;
create or replace trigger articles_removed after update of withdrawn_at on articles
  for each row when (old.withdrawn_at is null and new.withdrawn_at is not null and new.withdrawn_by <> new.author_id)
  execute function record_article_removal();

-- Records the removal of a post.
create or replace function record_activity_removal() returns trigger language plpgsql as $$
begin
  perform record_removal('activity', new.id, new.id, new.community_id, new.author_id, new.deleted_by,
    jsonb_build_object('title', new.title, 'body', new.body, 'body_html', new.body_html,
      'body_html_map', new.body_html_map, 'locale', new.locale, 'mentioned', new.mentioned, 'created_at', new.created_at));
  return null;
end $$;
create or replace trigger activities_removed after update of deleted_at on activities
  for each row when (old.deleted_at is null and new.deleted_at is not null and new.deleted_by <> new.author_id)
  execute function record_activity_removal();
