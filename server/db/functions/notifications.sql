-- Notifications, written in the transaction of the event. Content that a moderator's decision puts back
-- (officium.restoring) notifies nobody again.

-- Notifies a person, unless their account is no longer in use.
create or replace function notify_person(person uuid, what text, object uuid, activity uuid default null, since uuid default null)
returns void language plpgsql as $$
begin
  insert into notifications (id, user_id, event, object_id, activity_id, since_id)
  select new_id(), u.id, what, object, activity, since from users u
  where u.id = person and u.erased_at is null and u.role <> 'inactive'
    and coalesce(current_setting('officium.restoring', true), '') <> 'on'
  on conflict (user_id, event, object_id) where read_at is null do update set updated_at = now()
  where notifications.updated_at < now() - interval '1 minute';
end $$;

-- Notifies the people a text mentions, each once a text, except its author.
create or replace function notify_mentioned(people uuid[], author uuid, object uuid, activity uuid) returns void
language plpgsql as $$
begin
  perform notify_person(person, 'mention', object, activity) from unnest(people) person
  where person <> author and not exists (
    select from notifications n where n.user_id = person and n.event = 'mention' and n.object_id = object);
end $$;

-- Notifies of a reply: the author of what was replied to, and the people it mentions.
create or replace function notify_of_reaction() returns trigger language plpgsql as $$
declare
  replied uuid;
begin
  select case when new.parent_id is null then a.author_id else parent.user_id end into replied
  from activities a left join reactions parent on parent.id = new.parent_id
  where a.id = new.activity_id;
  -- Somebody who is mentioned too is notified of the mention only.
  if replied <> new.user_id and not replied = any(new.mentioned) then
    perform notify_person(replied, 'reply', coalesce(new.parent_id, new.activity_id), new.activity_id, new.id);
  end if;
  if new.mentioned <> '{}' then
    perform notify_mentioned(new.mentioned, new.user_id, new.id, new.activity_id);
  end if;
  return null;
end $$;
create or replace trigger reactions_notify after insert on reactions
  for each row when (new.kind = 'reply' and is_news(new.created_at)) execute function notify_of_reaction();

-- Notifies the people a new post mentions.
create or replace function notify_of_activity() returns trigger language plpgsql as $$
begin
  perform notify_mentioned(new.mentioned, new.author_id, new.id, new.id);
  return null;
end $$;
create or replace trigger activities_notify after insert on activities
  for each row when (new.mentioned <> '{}' and is_news(new.created_at)) execute function notify_of_activity();

-- Notifies the people whom an edit mentions for the first time.
create or replace function notify_of_edit() returns trigger language plpgsql as $$
declare
  added uuid[] := array(select unnest(new.mentioned) except select unnest(old.mentioned));
begin
  if tg_table_name = 'activities' then
    perform notify_mentioned(added, new.author_id, new.id, new.id);
  else
    perform notify_mentioned(added, new.user_id, new.id, new.activity_id);
  end if;
  return null;
end $$;
create or replace trigger activities_notify_edit after update of mentioned on activities
  for each row when (new.mentioned <> old.mentioned and new.mentioned <> '{}') execute function notify_of_edit();
create or replace trigger reactions_notify_edit after update of mentioned on reactions
  for each row when (new.mentioned <> old.mentioned and new.mentioned <> '{}') execute function notify_of_edit();

-- Notifies of a request to connect, and of its acceptance.
create or replace function notify_of_connection() returns trigger language plpgsql as $$
begin
  if new.status = 'pending' then
    perform notify_person(case new.asker_id when new.low_id then new.high_id else new.low_id end, 'connection_request', new.id);
  elsif new.status = 'accepted' then
    perform notify_person(new.asker_id, 'connection_accepted', new.id);
  end if;
  return null;
end $$;
create or replace trigger connections_notify after insert on connections
  for each row when (new.status = 'pending' and is_news(new.created_at)) execute function notify_of_connection();
create or replace trigger connections_notify_change after update of status on connections
  for each row when (new.status <> old.status) execute function notify_of_connection();

-- Notifies a person who was invited to a community or added to it. People who join by themselves set officium.actor for
-- the transaction.
create or replace function notify_of_membership() returns trigger language plpgsql as $$
begin
  if current_setting('officium.actor', true) = new.user_id::text then
    return null;
  end if;
  perform notify_person(new.user_id,
    case new.status when 'invited' then 'community_invitation' else 'community_membership' end, new.community_id);
  return null;
end $$;
create or replace trigger community_members_notify after insert on community_members
  for each row when (new.status in ('active', 'invited') and is_news(new.joined_at)) execute function notify_of_membership();
create or replace trigger community_members_notify_change after update of status on community_members
  for each row when (new.status <> old.status and new.status in ('active', 'invited')) execute function notify_of_membership();

-- Notifies a person who was added to a cohort.
create or replace function notify_of_cohort() returns trigger language plpgsql as $$
begin
  perform notify_person(new.user_id, 'cohort_membership', new.cohort_id);
  return null;
end $$;
create or replace trigger cohort_members_notify after insert on cohort_members
  for each row when (is_news(new.joined_at)) execute function notify_of_cohort();

-- Notifies a person of their certificate.
create or replace function notify_of_certificate() returns trigger language plpgsql as $$
begin
  perform notify_person(new.user_id, 'certificate', new.id);
  return null;
end $$;
create or replace trigger certificates_notify after insert on certificates
  for each row when (is_news(new.issued_at)) execute function notify_of_certificate();

-- Notifies a reporter of the decision.
create or replace function notify_of_report() returns trigger language plpgsql as $$
begin
  perform notify_person(new.user_id, 'report_outcome', new.id, new.activity_id);
  return null;
end $$;
create or replace trigger content_reports_notify after update of status on content_reports
  for each row when (old.status = 'open' and new.status <> 'open') execute function notify_of_report();

-- Notifies an author of the outcome of their appeal.
create or replace function notify_of_outcome() returns trigger language plpgsql as $$
begin
  perform notify_person(new.author_id, 'moderation', new.id, new.activity_id);
  return null;
end $$;
create or replace trigger moderation_decisions_notify after update of outcome on moderation_decisions
  for each row when (old.outcome is null and new.outcome is not null) execute function notify_of_outcome();
