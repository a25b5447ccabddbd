-- Reports and removals of articles, which belong to no activity. The object is the article, whose row may be gone.
alter table content_reports alter column activity_id drop not null;
alter table moderation_decisions alter column activity_id drop not null;
alter table moderation_decisions drop constraint moderation_decisions_kind_check;
alter table moderation_decisions add constraint moderation_decisions_kind_check
  check (kind in ('activity', 'reaction', 'article') and (activity_id is null) = (kind = 'article'));
