-- Reports of lesson discussions and their replies, which are in no community.
alter table content_reports alter column community_id drop not null;
-- The open reports outside communities, by object.
create index content_reports_open_lessons on content_reports (object_id) where status = 'open' and community_id is null;
