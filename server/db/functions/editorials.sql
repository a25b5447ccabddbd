-- Questions, solution articles, hubs, events and their parts: the addresses they lead to, the slugs they had, and search.

-- The content at the path of a page: its kind and the id of its row. Carousels and pictures have no page and are named
-- alike, `carousels/<slug>`. No row for a path that leads nowhere.
create or replace function content_at(path text) returns table (kind text, key text) language plpgsql stable as $$
declare
  part text[] := string_to_array(path, '/');
  parts integer := cardinality(part);
begin
  case
    when part[1] = 'courses' and parts = 2 then
      return query select 'course', c.id from courses c where c.slug = part[2];
    when part[1] = 'courses' and parts = 4 then
      return query select 'lesson', l.key::text
        from courses c join journeys j on j.course_id = c.id join lessons l on l.journey_key = j.key
        where c.slug = part[2] and j.slug = part[3] and l.slug = part[4];
    when part[1] = 'microcourses' and parts = 3 and part[2] = 'en' then
      return query select 'microcourse', m.id from microcourses m where m.slug = part[3];
    when part[1] = 'academies' and parts = 2 then
      return query select 'academy', a.id from academies a where a.slug = part[2];
    when part[1] = 'communities' and parts = 2 then
      return query select 'community', c.id::text from communities c where c.slug = part[2];
    when part[1] = 'articles' and parts = 2 then
      return query select 'article', a.id::text from articles a where a.slug = part[2];
    when part[1] in ('questions', 'solutions', 'hubs', 'carousels', 'pictures', 'events') and parts = 2 then
      return query select e.kind, e.id from editorials e where e.kind || 's' = part[1] and e.slug = part[2];
    else
      return;
  end case;
end $$;

-- The current path of what `content_at` found; null when it is gone.
create or replace function content_path(its_kind text, its_key text) returns text language plpgsql stable as $$
begin
  case its_kind
    when 'course' then
      return (select 'courses/' || slug from courses where id = its_key);
    when 'lesson' then
      return (select concat_ws('/', 'courses', c.slug, j.slug, l.slug)
        from lessons l join journeys j on j.key = l.journey_key join courses c on c.id = j.course_id
        where l.key = its_key::uuid);
    when 'microcourse' then
      return (select 'microcourses/en/' || slug from microcourses where id = its_key);
    when 'academy' then
      return (select 'academies/' || slug from academies where id = its_key);
    when 'community' then
      return (select 'communities/' || slug from communities where id = its_key::uuid);
    when 'article' then
      return (select 'articles/' || slug from articles where id = its_key::uuid);
    else
      return (select kind || 's/' || slug from editorials where id = its_key);
  end case;
end $$;

-- The paths that an editorial leads to, in order.
create or replace function editorial_paths(its_id text) returns jsonb language plpgsql stable as $$
begin
  return (select coalesce(jsonb_agg(p.path order by p.position), '[]') from (
    select position, content_path(kind, key) as path from editorial_items where editorial_id = its_id) p
    where p.path is not null);
end $$;

-- Remembers the slug that a page had.
create or replace trigger former_slug_question after update of slug on editorials
  for each row when (old.slug <> new.slug and new.kind = 'question') execute function keep_former_slug('question', 'id');
create or replace trigger former_slug_solution after update of slug on editorials
  for each row when (old.slug <> new.slug and new.kind = 'solution') execute function keep_former_slug('solution', 'id');
create or replace trigger former_slug_hub after update of slug on editorials
  for each row when (old.slug <> new.slug and new.kind = 'hub') execute function keep_former_slug('hub', 'id');

-- Puts a question, solution article, hub or event in every language it has a title or a text in. Carousels and pictures have no page.
create or replace function put_editorial_documents(its_id text) returns void language plpgsql as $$
begin
  delete from search_documents where object_id = its_id and kind in ('question', 'solution', 'hub', 'event');
  perform put_search_document(e.kind, e.id, l.locale, coalesce(e.title->>l.locale, e.title->>'en'),
    concat_ws(' ', e.summary->>l.locale, html_text(b.html)), now())
  from editorials e
  cross join lateral (
    select jsonb_object_keys(e.title) as locale
    union select locale from bodies where editorial_id = e.id) l
  left join bodies b on b.editorial_id = e.id and b.locale = l.locale
  where e.id = its_id and e.kind in ('question', 'solution', 'hub', 'event');
end $$;

create or replace function search_editorial() returns trigger language plpgsql as $$
begin
  perform put_editorial_documents(coalesce(new.id, old.id));
  return null;
end $$;
create or replace trigger search_editorial after insert or delete or update of title, summary on editorials
  for each row execute function search_editorial();

-- Puts the documents of an editorial whose text changed.
create or replace function search_editorial_body() returns trigger language plpgsql as $$
begin
  perform put_editorial_documents(coalesce(new.editorial_id, old.editorial_id));
  return null;
end $$;
create or replace trigger search_editorial_body_made after insert on bodies
  for each row when (new.editorial_id is not null) execute function search_editorial_body();
create or replace trigger search_editorial_body_changed after update of html on bodies
  for each row when (new.editorial_id is not null) execute function search_editorial_body();
create or replace trigger search_editorial_body_gone after delete on bodies
  for each row when (old.editorial_id is not null) execute function search_editorial_body();

-- Whether what `content_at` found is published: a lesson with its journey and course.
create or replace function is_content_published(its_kind text, its_key text) returns boolean language plpgsql stable as $$
begin
  case its_kind
    when 'article' then
      return exists (select from articles where id = its_key::uuid and withdrawn_at is null);
    when 'community' then
      return exists (select from communities c join entries x on x.id = c.entry_id and x.status = 'published'
        where c.id = its_key::uuid);
    when 'lesson' then
      return exists (select from lessons l
        join journeys j on j.key = l.journey_key and j.withdrawn_at is null
        join entries x on x.id = j.course_id and x.status = 'published'
        left join entries y on y.id = j.entry_id
        where l.key = its_key::uuid and l.withdrawn_at is null and coalesce(y.status = 'published', true));
    else
      return exists (select from entries where id = its_key and status = 'published');
  end case;
end $$;
