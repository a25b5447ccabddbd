-- What people asked about lessons, and articles that were shared with communities.

-- One conversation a person and lesson; nobody else reads it. It ends with the account, or 90 days after its last question.
create table ai_threads (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  lesson_key uuid not null references lessons on delete cascade,
  title text not null,                    -- the first question
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, lesson_key)
);
create index ai_threads_newest on ai_threads (user_id, updated_at desc, id desc);
create index ai_threads_lesson on ai_threads (lesson_key);
create index ai_threads_age on ai_threads (updated_at);

create table ai_messages (
  id uuid primary key,
  thread_id uuid not null references ai_threads on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  created_at timestamptz not null default now()
);
create index ai_messages_thread on ai_messages (thread_id, id);

-- The posts in which an article was shared.
create table article_shares (
  activity_id uuid primary key references activities on delete cascade,
  article_id uuid not null references articles on delete cascade
);
create index article_shares_article on article_shares (article_id, activity_id);

-- Somebody shares on, in the same community, what another person's post brought there first: that post gains a share,
-- once a person. Answers the post, null when there is none of another's.
create function count_share(shared uuid, into_community uuid, sharer uuid) returns uuid
language plpgsql as $$
declare
  first activities;
  seen integer;
begin
  select a.* into first from article_shares s join activities a on a.id = s.activity_id
  where s.article_id = shared and a.community_id = into_community and a.deleted_at is null
  order by a.id limit 1
  for no key update of a;
  if first.id is null or first.author_id = sharer then
    return null;
  end if;
  insert into activity_people as p (activity_id, user_id, kind, times) values (first.id, sharer, 'share', 1)
  on conflict (activity_id, user_id, kind) do update set times = p.times + 1
  returning times into seen;
  if seen = 1 then
    update activities set people_points = people_points + 3, hot = activity_hot(people_points + 3, created_at)
    where id = first.id;
  end if;
  return first.id;
end $$;
