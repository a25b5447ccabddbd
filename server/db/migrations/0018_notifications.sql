-- What a person is told of. A row points to what happened and says nothing of it: names, titles and counts are read from
-- what is there when it is shown, so that what was deleted, taken back or hidden meanwhile is told to nobody. As long as
-- one is unread, more of the same about the same object changes its time only, and that once a minute: a busy thread
-- does not write its author's row again for every reply.
create table notifications (
  id uuid primary key,
  user_id uuid not null,                  -- without a reference, which would lock the person for every reply to them
  event text not null check (event in ('reply', 'mention', 'connection_request', 'connection_accepted',
    'community_invitation', 'community_membership', 'cohort_membership', 'poll_outcome', 'certificate', 'due_date')),
  object_id uuid not null,                -- what was replied to, the text that mentions, the connection, the place …
  activity_id uuid,                       -- where the object is an activity or a part of one
  since_id uuid,                          -- of replies: the first that this tells of
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  read_at timestamptz,
  mailed_at timestamptz
);
create unique index notifications_unread on notifications (user_id, event, object_id) where read_at is null;
create index notifications_page on notifications (user_id, updated_at desc, id desc);
create index notifications_news on notifications (updated_at);

-- Where somebody differs from the defaults, which stand in contract/notifications.ts.
create table notification_preferences (
  user_id uuid not null references users on delete cascade,
  event text not null,
  in_app text not null check (in_app in ('at-once', 'never')),
  mail text not null check (mail in ('at-once', 'daily', 'weekly', 'never')),
  primary key (user_id, event)
);

create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  digest_hour smallint not null default 8 check (digest_hour between 0 and 23),
  time_zone text not null default 'UTC',
  secret bytea not null                   -- signs the links by which the person ends mails
);

-- What is told once: the outcome of a poll, a due date, a digest. Who adds the row tells it.
create table notification_claims (
  name text primary key,
  created_at timestamptz not null default now()
);

create index polls_deadline on polls (deadline_at) where deadline_at is not null;
create index journey_enrolments_end on journey_enrolments (expires_on) where expires_on is not null and completed_at is null;

-- Tells a person of something, unless their account is no longer in use.
create function notify_person(person uuid, what text, object uuid, activity uuid default null, since uuid default null)
returns void language sql as $$
  insert into notifications (id, user_id, event, object_id, activity_id, since_id)
  select new_id(), u.id, what, object, activity, since from users u
  where u.id = person and u.erased_at is null and u.role <> 'inactive'
  on conflict (user_id, event, object_id) where read_at is null do update set updated_at = now()
  where notifications.updated_at < now() - interval '1 minute'
$$;

-- Tells whom a text mentions, each once a text, its author apart.
create function notify_mentioned(people uuid[], author uuid, object uuid, activity uuid) returns void
language plpgsql as $$
begin
  perform notify_person(person, 'mention', object, activity) from unnest(people) person
  where person <> author and not exists (
    select from notifications n where n.user_id = person and n.event = 'mention' and n.object_id = object);
end $$;

-- What was said long before it came here is no news.
create function is_news(at timestamptz) returns boolean language sql stable as $$
  select at > now() - interval '1 hour'
$$;

create function notify_of_reaction() returns trigger language plpgsql as $$
declare
  replied uuid;
begin
  select case when new.parent_id is null then a.author_id else parent.user_id end into replied
  from activities a left join reactions parent on parent.id = new.parent_id
  where a.id = new.activity_id;
  -- Who is mentioned too is told that, and not twice of one text.
  if replied <> new.user_id and not replied = any(new.mentioned) then
    perform notify_person(replied, 'reply', coalesce(new.parent_id, new.activity_id), new.activity_id, new.id);
  end if;
  if new.mentioned <> '{}' then
    perform notify_mentioned(new.mentioned, new.user_id, new.id, new.activity_id);
  end if;
  return null;
end $$;
create trigger reactions_notify after insert on reactions
  for each row when (new.kind = 'reply' and is_news(new.created_at)) execute function notify_of_reaction();

create function notify_of_activity() returns trigger language plpgsql as $$
begin
  perform notify_mentioned(new.mentioned, new.author_id, new.id, new.id);
  return null;
end $$;
create trigger activities_notify after insert on activities
  for each row when (new.mentioned <> '{}' and is_news(new.created_at)) execute function notify_of_activity();

-- An edit tells only those it adds.
create function notify_of_edit() returns trigger language plpgsql as $$
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
create trigger activities_notify_edit after update of mentioned on activities
  for each row when (new.mentioned <> old.mentioned and new.mentioned <> '{}') execute function notify_of_edit();
create trigger reactions_notify_edit after update of mentioned on reactions
  for each row when (new.mentioned <> old.mentioned and new.mentioned <> '{}') execute function notify_of_edit();

create function notify_of_connection() returns trigger language plpgsql as $$
begin
  if new.status = 'pending' then
    perform notify_person(case new.asker_id when new.low_id then new.high_id else new.low_id end, 'connection_request', new.id);
  elsif new.status = 'accepted' then
    perform notify_person(new.asker_id, 'connection_accepted', new.id);
  end if;
  return null;
end $$;
create trigger connections_notify after insert on connections
  for each row when (new.status = 'pending' and is_news(new.created_at)) execute function notify_of_connection();
create trigger connections_notify_change after update of status on connections
  for each row when (new.status <> old.status) execute function notify_of_connection();

-- Who joins by themselves says so in `officium.actor`, for the transaction.
create function notify_of_membership() returns trigger language plpgsql as $$
begin
  if current_setting('officium.actor', true) = new.user_id::text then
    return null;
  end if;
  perform notify_person(new.user_id,
    case new.status when 'invited' then 'community_invitation' else 'community_membership' end, new.community_id);
  return null;
end $$;
create trigger community_members_notify after insert on community_members
  for each row when (new.status in ('active', 'invited') and is_news(new.joined_at)) execute function notify_of_membership();
create trigger community_members_notify_change after update of status on community_members
  for each row when (new.status <> old.status and new.status in ('active', 'invited')) execute function notify_of_membership();

create function notify_of_cohort() returns trigger language plpgsql as $$
begin
  perform notify_person(new.user_id, 'cohort_membership', new.cohort_id);
  return null;
end $$;
create trigger cohort_members_notify after insert on cohort_members
  for each row when (is_news(new.joined_at)) execute function notify_of_cohort();

create function notify_of_certificate() returns trigger language plpgsql as $$
begin
  perform notify_person(new.user_id, 'certificate', new.id);
  return null;
end $$;
create trigger certificates_notify after insert on certificates
  for each row when (is_news(new.issued_at)) execute function notify_of_certificate();

create trigger refuse_erased after insert on notification_preferences for each row execute function refuse_erased();
create trigger refuse_erased after insert on notification_settings for each row execute function refuse_erased();
