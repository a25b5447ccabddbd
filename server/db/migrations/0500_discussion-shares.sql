-- The posts that shared a lesson discussion. Only this table connects the two: a card in the post would be shown to
-- readers who may not read the lesson.
create table discussion_shares (
  activity_id uuid primary key references activities on delete cascade,
  discussion_id uuid not null references activities on delete cascade
);
-- The shares of a discussion, oldest first.
create index discussion_shares_discussion on discussion_shares (discussion_id, activity_id);
-- The posts that shared something, with the article or discussion.
create view shares as
  select activity_id, article_id as thing_id from article_shares
  union all
  select activity_id, discussion_id from discussion_shares;
