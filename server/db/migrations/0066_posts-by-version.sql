-- Answers are made of rows and remembered by their versions: no row keeps its own JSON, and no change of a post has to be
-- noted.
drop trigger if exists activities_written_json on activities;
drop function if exists write_activity_json();
alter table activities drop column written_json;
drop trigger if exists feed_changes on activities;
drop trigger if exists feed_changes on poll_options;
drop trigger if exists feed_changes on polls;
drop function if exists note_activity_change();
drop function if exists note_poll_change();
drop function if exists note_poll_rules_change();
drop trigger if exists feed_changes on users;
drop function if exists note_person_change();
drop table feed_changes;
