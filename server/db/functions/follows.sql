-- Follows, and the queue of new texts whose followers must be notified.

-- Queues a new post of a community whose followers, or its author's, must be notified.
create or replace function queue_post_news() returns trigger language plpgsql as $$
begin
  if exists (select from follows where community_id = new.community_id and level = 'watching')
      or exists (select from follows where person_id = new.author_id and level = 'watching') then
    insert into follow_news (activity_id) values (new.id);
  end if;
  return null;
end $$;
create or replace trigger queue_post_news after insert on activities
  for each row when (new.community_id is not null and is_news(new.created_at)) execute function queue_post_news();

-- Queues a new reply in a thread that somebody watches.
create or replace function queue_reply_news() returns trigger language plpgsql as $$
begin
  if exists (select from follows where activity_id = new.activity_id and level = 'watching') then
    insert into follow_news (reaction_id) values (new.id);
  end if;
  return null;
end $$;
create or replace trigger queue_reply_news after insert on reactions
  for each row when (new.kind = 'reply' and is_news(new.created_at)) execute function queue_reply_news();

-- Queues a new article whose author or topic somebody follows.
create or replace function queue_article_news() returns trigger language plpgsql as $$
begin
  if exists (select from follows where person_id = new.author_id and level = 'watching')
      or exists (select from follows where topic = any(new.tags)) then
    insert into follow_news (article_id) values (new.id);
  end if;
  return null;
end $$;
create or replace trigger queue_article_news after insert on articles
  for each row when (new.withdrawn_at is null and is_news(new.published_date)) execute function queue_article_news();

-- Ends the watching of a community and its threads with the membership. Muting outlives it.
create or replace function end_watching() returns trigger language plpgsql as $$
begin
  delete from follows f where f.user_id = old.user_id and f.level = 'watching' and (f.community_id = old.community_id
    or f.activity_id in (select a.id from activities a where a.id = f.activity_id and a.community_id = old.community_id));
  return null;
end $$;
create or replace trigger end_watching after delete on community_members for each row execute function end_watching();
