-- What can be found by words: a row for each text and language, written by triggers in the transaction that writes the
-- text itself. `title` and `body` are plain text. Who may find it is decided when somebody searches.

-- The languages' own configurations, without accents.
do $$
declare
  language text;
begin
  foreach language in array array['arabic', 'english', 'french', 'german', 'indonesian', 'italian', 'portuguese',
    'serbian', 'simple', 'spanish'] loop
    execute format('create text search configuration search_%s (copy = pg_catalog.%s)', language, language);
    execute format('alter text search configuration search_%s alter mapping for hword, hword_part, word with public.unaccent, %s',
      language, case language when 'simple' then 'simple' else language || '_stem' end);
  end loop;
end $$;

create function search_configuration(locale text) returns regconfig language sql immutable parallel safe as $$
  select case split_part(locale, '-', 1)
    when 'ar' then 'public.search_arabic'::regconfig
    when 'de' then 'public.search_german'::regconfig
    when 'en' then 'public.search_english'::regconfig
    when 'es' then 'public.search_spanish'::regconfig
    when 'fr' then 'public.search_french'::regconfig
    when 'id' then 'public.search_indonesian'::regconfig
    when 'it' then 'public.search_italian'::regconfig
    when 'pt' then 'public.search_portuguese'::regconfig
    when 'sr' then 'public.search_serbian'::regconfig
    else 'public.search_simple'::regconfig
  end
$$;

-- Scripts whose words have no spaces between them, or endings grown on: every character becomes a word, by a space behind
-- it, and words are found as phrases. A space of no width (U+200B) before it tells that space from the text's own.
create function search_words(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(given, '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])', '\1' || U&'\200B ', 'g')
$$;

-- A text looks the same in any of the languages it may be in; the person who asks does not say which one is meant.
create function search_query(given text) returns tsquery language sql stable strict parallel safe as $$
  select coalesce(string_agg(format('(%s)', q), ' | ')::tsquery, ''::tsquery)
  from (
    select distinct websearch_to_tsquery(c, given)::text as q
    from unnest(array['search_arabic', 'search_english', 'search_french', 'search_german', 'search_indonesian',
      'search_italian', 'search_portuguese', 'search_serbian', 'search_simple', 'search_spanish']::regconfig[]) c
  ) x
  where q <> ''
$$;

-- The text of HTML that the product has made: no other entities are in it, and mentions are nobody's words.
create function html_text(html text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(replace(replace(
    regexp_replace(html, '<[^>]*>|\{\{[0-9a-fA-F-]{36}\}\}', ' ', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&')
$$;

create table search_documents (
  kind text not null check (kind in
    ('academy', 'course', 'lesson', 'microcourse', 'community', 'post', 'reply', 'article')),
  object_id text not null,
  locale text not null,
  community_id uuid,                      -- of a community, a post or a reply
  activity_id uuid,                       -- the post a reply belongs to, or the post itself
  journey_key uuid,                       -- of a lesson
  title text not null default '',
  body text not null default '',
  title_form text not null generated always as (public.search_form(title)) stored,
  title_words tsvector not null,
  words tsvector not null,                -- of title and body
  made_at timestamptz not null,
  primary key (kind, object_id, locale)
);
create index search_documents_words on search_documents using gin (words);
create index search_documents_title_words on search_documents using gin (title_words);
create index search_documents_title on search_documents using gin (title_form gin_trgm_ops) where kind <> 'reply';
create index search_documents_newest on search_documents (kind, made_at desc);
create index search_documents_activity on search_documents (activity_id) where activity_id is not null;

-- Titles that have words which are nearly these, the most alike first; the first word, the longest, is looked up.
create function nearly_titled(asked text[]) returns table (kind text, object_id text, locale text, community_id uuid,
  journey_key uuid, made_at timestamptz, rank real)
language sql stable set pg_trgm.word_similarity_threshold = 0.5 as $$
  select d.kind, d.object_id, d.locale, d.community_id, d.journey_key, d.made_at,
    (select sum(word_similarity(search_form(w), d.title_form)) from unnest(asked) w)::real
  from search_documents d
  where d.kind <> 'reply' and search_form(asked[1]) <% d.title_form
    and not exists (select from unnest(asked) w where not search_form(w) <% d.title_form)
  order by 7 desc
  limit 1000
$$;

-- Puts a document in place of the one before.
create function put_search_document(
  its_kind text, its_id text, its_locale text, its_title text, its_body text, its_time timestamptz,
  its_community uuid default null, its_activity uuid default null, its_journey uuid default null) returns void
language sql as $$
  insert into search_documents (kind, object_id, locale, title, body, made_at, community_id, activity_id, journey_key,
    title_words, words)
  select its_kind, its_id, its_locale, title, body, its_time, its_community, its_activity, its_journey, title_words,
    title_words || setweight(to_tsvector(search_configuration(its_locale), search_words(body)), 'C')
  from (select coalesce(its_title, '') as title, left(coalesce(its_body, ''), 200000) as body) given,
    lateral (select setweight(to_tsvector(search_configuration(its_locale), search_words(title)), 'A') as title_words) x
  on conflict (kind, object_id, locale) do update set title = excluded.title, body = excluded.body,
    made_at = excluded.made_at, title_words = excluded.title_words, words = excluded.words
$$;

create function search_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents where activity_id = old.id;
    return null;
  end if;
  if new.deleted_at is not null or new.community_id is null then
    delete from search_documents where activity_id = new.id;
  else
    if tg_op = 'UPDATE' and new.locale <> old.locale then
      delete from search_documents where kind = 'post' and object_id = new.id::text;
    end if;
    perform put_search_document('post', new.id::text, new.locale, new.title, html_text(new.body_html), new.created_at,
      new.community_id, new.id);
  end if;
  return null;
end $$;
create trigger search_activity after insert or delete or update of title, body_html, locale, deleted_at, community_id
  on activities for each row execute function search_activity();

create function search_reaction() returns trigger language plpgsql as $$
declare
  place uuid;
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind = 'reply' and object_id = old.id::text;
    return null;
  end if;
  if new.deleted_at is not null or tg_op = 'UPDATE' and new.locale <> old.locale then
    delete from search_documents where kind = 'reply' and object_id = new.id::text;
  end if;
  if new.deleted_at is null then
    select community_id into place from activities where id = new.activity_id and deleted_at is null;
    if place is not null then
      perform put_search_document('reply', new.id::text, new.locale, null, html_text(new.body_html), new.created_at,
        place, new.activity_id);
    end if;
  end if;
  return null;
end $$;
create trigger search_reaction_made after insert on reactions for each row when (new.kind = 'reply')
  execute function search_reaction();
create trigger search_reaction_changed after update of body_html, locale, deleted_at on reactions for each row
  when (new.kind = 'reply') execute function search_reaction();
create trigger search_reaction_gone after delete on reactions for each row when (old.kind = 'reply')
  execute function search_reaction();

create function search_article() returns trigger language plpgsql as $$
begin
  delete from search_documents where kind = 'article' and object_id = coalesce(new.id, old.id)::text;
  if tg_op <> 'DELETE' and new.withdrawn_at is null then
    perform put_search_document('article', new.id::text, new.locale, new.title,
      concat_ws(' ', new.subtitle, new.tldr, html_text(new.body_html)), new.published_date);
  end if;
  return null;
end $$;
create trigger search_article after insert or delete
  or update of title, subtitle, tldr, body_html, locale, withdrawn_at, published_date
  on articles for each row execute function search_article();

-- A text of the catalogue in every language it has a title in.
create function put_localised_documents(
  its_kind text, its_id text, titles jsonb, texts jsonb, its_time timestamptz, its_community uuid default null)
returns void language plpgsql as $$
begin
  delete from search_documents where kind = its_kind and object_id = its_id and not titles ? locale;
  perform put_search_document(its_kind, its_id, key, value, texts->>key, its_time, its_community)
  from jsonb_each_text(titles);
end $$;

create function search_course() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind = 'course' and object_id = old.id;
  else
    perform put_localised_documents('course', new.id, new.title, new.summary, now());
  end if;
  return null;
end $$;
create trigger search_course after insert or delete or update of title, summary on courses
  for each row execute function search_course();

create function search_academy() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind = 'academy' and object_id = old.id;
  else
    perform put_localised_documents('academy', new.id, new.title, new.description, now());
  end if;
  return null;
end $$;
create trigger search_academy after insert or delete or update of title, description on academies
  for each row execute function search_academy();

create function search_community() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind = 'community' and object_id = old.id::text;
  else
    perform put_localised_documents('community', new.id::text, new.title, new.description, new.created_at, new.id);
  end if;
  return null;
end $$;
create trigger search_community after insert or delete or update of title, description on communities
  for each row execute function search_community();

-- A lesson or microcourse in one of the languages there is a text in, or in all of them.
create function put_lesson_documents(its_key uuid, in_locale text default null) returns void language plpgsql as $$
begin
  delete from search_documents
  where kind = 'lesson' and object_id = its_key::text and (in_locale is null or locale = in_locale);
  perform put_search_document('lesson', l.key::text, b.locale, coalesce(l.title->>b.locale, b.title, l.title->>'en'),
    html_text(b.html), now(), null, null, l.journey_key)
  from lessons l join bodies b on b.lesson_key = l.key
  where l.key = its_key and l.withdrawn_at is null and (in_locale is null or b.locale = in_locale);
end $$;

create function put_microcourse_documents(its_id text, in_locale text default null) returns void language plpgsql as $$
begin
  delete from search_documents
  where kind = 'microcourse' and object_id = its_id and (in_locale is null or locale = in_locale);
  perform put_search_document('microcourse', m.id, b.locale, coalesce(m.title->>b.locale, b.title, m.title->>'en'),
    concat_ws(' ', m.summary->>b.locale, html_text(b.html)), now())
  from microcourses m join bodies b on b.microcourse_id = m.id
  where m.id = its_id and (in_locale is null or b.locale = in_locale);
end $$;

create function search_body() returns trigger language plpgsql as $$
declare
  body bodies := coalesce(new, old);
begin
  if body.lesson_key is not null then
    perform put_lesson_documents(body.lesson_key, body.locale);
  else
    perform put_microcourse_documents(body.microcourse_id, body.locale);
  end if;
  return null;
end $$;
create trigger search_body after insert or delete or update of title, html on bodies
  for each row execute function search_body();

create function search_lesson() returns trigger language plpgsql as $$
begin
  perform put_lesson_documents(coalesce(new.key, old.key));
  return null;
end $$;
create trigger search_lesson after delete or update of title, withdrawn_at on lessons
  for each row execute function search_lesson();

create function search_microcourse() returns trigger language plpgsql as $$
begin
  perform put_microcourse_documents(coalesce(new.id, old.id));
  return null;
end $$;
create trigger search_microcourse after delete or update of title, summary on microcourses
  for each row execute function search_microcourse();

-- What was there before.
update activities set title = title;
update reactions set body_html = body_html where kind = 'reply';
update articles set title = title;
update courses set title = title;
update academies set title = title;
update communities set title = title;
select put_lesson_documents(key) from lessons;
select put_microcourse_documents(id) from microcourses;
