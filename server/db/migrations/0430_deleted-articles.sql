-- The person who withdrew an article. A withdrawal by its author is a deletion, which the author can undo for a while.
alter table articles add column withdrawn_by uuid;
-- The sweep of deleted articles, and those that their author can restore.
create index articles_deleted on articles (withdrawn_at) where withdrawn_by is not null;
