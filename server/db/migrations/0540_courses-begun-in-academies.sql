-- The academy in which a course was begun. It counts until the course is published; then academy_courses decides.
alter table content_pieces add column academy_id text references academies on delete set null;
create index content_pieces_academy on content_pieces (academy_id) where academy_id is not null;
alter table content_pieces add constraint content_pieces_academy_of_course check (academy_id is null or kind = 'course');
