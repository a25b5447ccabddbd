-- Pictures are uploaded for the discussions of a lesson too.
alter table post_pictures
  alter column community_id drop not null,
  add column lesson_key uuid references lessons on delete cascade,
  add check (num_nonnulls(community_id, lesson_key) = 1);
create index post_pictures_lesson on post_pictures (lesson_key);
