-- Things that people watch and mute. The level "normal" has no row.
create table follows (
  user_id uuid not null references users on delete cascade,
  community_id uuid references communities on delete cascade,
  activity_id uuid references activities on delete cascade,
  person_id uuid references users on delete cascade,
  topic text,
  level text not null check (level in ('watching', 'muted')),
  since timestamptz not null default now(),
  check (num_nonnulls(community_id, activity_id, person_id, topic) = 1),
  check (person_id <> user_id),
  check (topic is null or level = 'watching')
);
-- The followers of each thing, one row a person; notified in the order of their ids.
create unique index follows_community on follows (community_id, user_id) where community_id is not null;
create unique index follows_activity on follows (activity_id, user_id) where activity_id is not null;
create unique index follows_person on follows (person_id, user_id) where person_id is not null;
create unique index follows_topic on follows (topic, user_id) where topic is not null;
-- Everything that a person follows.
create index follows_user on follows (user_id);

-- Texts whose followers are not notified yet. A trigger adds the row in the transaction of the text; a job notifies the
-- followers in batches and deletes it.
create table follow_news (
  id uuid primary key default new_id(),
  activity_id uuid references activities on delete cascade,
  reaction_id uuid references reactions on delete cascade,
  article_id uuid references articles on delete cascade,
  notified_to uuid,                       -- the last follower who was notified, in the order of their ids
  check (num_nonnulls(activity_id, reaction_id, article_id) = 1)
);
-- Deletions of the text.
create index follow_news_activity on follow_news (activity_id) where activity_id is not null;
create index follow_news_reaction on follow_news (reaction_id) where reaction_id is not null;
create index follow_news_article on follow_news (article_id) where article_id is not null;

-- The replies of a thread since one of them, at any depth.
create index reactions_thread on reactions (activity_id, id) where kind = 'reply';

alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder', 'community_post', 'thread_reply', 'person_post', 'new_article'));
