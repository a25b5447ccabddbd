-- Lesson discussions and their replies in the search index. Triggers store new ones; this stores those that exist.
alter table search_documents drop constraint search_documents_kind_check;
alter table search_documents add constraint search_documents_kind_check check (kind in ('academy', 'course', 'lesson',
  'microcourse', 'community', 'post', 'reply', 'discussion', 'article', 'question', 'solution', 'hub', 'event'));
do $$
declare
  place record;
begin
  -- In a new database there are none, nor the functions yet.
  for place in
    select a.id, a.body_html_map, a.created_at, l.journey_key from activities a join lessons l on l.key = a.lesson_key
    where a.deleted_at is null
  loop
    perform put_search_document('discussion', place.id::text, key, null, html_text(value), place.created_at, null,
      place.id, place.journey_key) from jsonb_each_text(place.body_html_map);
    perform put_search_document('discussion', r.id::text, r.locale, null, html_text(r.body_html), r.created_at, null,
      place.id, place.journey_key) from reactions r
    where r.activity_id = place.id and r.kind = 'reply' and r.deleted_at is null;
  end loop;
end $$;
