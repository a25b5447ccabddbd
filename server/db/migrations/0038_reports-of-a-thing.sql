-- Reports of a thing, whoever made them.
create index content_reports_object on content_reports (object_id);
