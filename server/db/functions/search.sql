-- The search index. Triggers store a document in the transaction that writes its text.

-- The configuration of a locale.
create or replace function search_configuration(locale text) returns regconfig language sql immutable parallel safe as $$
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

-- Inserts a character that no text contains after each `<` and after 64 characters without a space. Otherwise PostgreSQL's
-- parser searches for the end of a comment from each `<!--`, and rescans a run without spaces from many of its characters:
-- 64 KiB of `<!--`, `./` or `a_` took over ten seconds. Views remove the character.
create or replace function parser_safe(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(replace(given, '<', '<' || U&'\0001'), '\S{64}', '\&' || U&'\0001', 'g')
$$;

-- The text for the parser. In scripts without spaces between words, or with attached endings, a space after every character
-- makes it a word, and words are found as phrases. A zero-width space (U+200B) before that space distinguishes it from the
-- spaces of the text.
create or replace function search_words(given text) returns text language sql immutable strict parallel safe as $$
  select parser_safe(
    regexp_replace(given, '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])', '\1' || U&'\200B ', 'g'))
$$;

-- The query in every language, because the language of the wanted text is unknown.
create or replace function search_query(given text) returns tsquery language sql stable strict parallel safe as $$
  select coalesce(string_agg(format('(%s)', q), ' | ')::tsquery, ''::tsquery)
  from (
    select distinct websearch_to_tsquery(c, given)::text as q
    from unnest(array['search_arabic', 'search_english', 'search_french', 'search_german', 'search_indonesian',
      'search_italian', 'search_portuguese', 'search_serbian', 'search_simple', 'search_spanish']::regconfig[]) c
  ) x
  where q <> ''
$$;

-- The words to mark in an excerpt. The time of `ts_headline` grows steeply with query words that a text repeats (seconds for
-- one word ten times), so long queries, and queries that repeat a word, are marked word by word.
create or replace function marked_query(configuration regconfig, asked text) returns tsquery
language plpgsql immutable strict parallel safe as $$
declare
  whole tsquery := websearch_to_tsquery(configuration, search_words(asked));
  words text[] := tsvector_to_array(to_tsvector(configuration, search_words(asked)));
begin
  if cardinality(words) = 0 or (cardinality(words) <= 8 and numnode(whole) < 2 * cardinality(words)) then
    return whole;
  end if;
  return (select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' | ')
          from unnest(words) word)::tsquery;
end $$;

-- The part of a text for the excerpt: the first part that matches, or the beginning when only several parts together match.
-- `ts_headline` takes quadratic time in the number of matches: seconds for a long text of one word.
create or replace function matching_part(body text, configuration regconfig, asked tsquery) returns text
language plpgsql immutable strict parallel safe as $$
declare
  part text;
begin
  if length(body) > 4000 then
    for start in 1 .. length(body) by 3500 loop
      part := substr(body, start, 4000);
      if to_tsvector(configuration, search_words(part)) @@ asked then
        return part;
      end if;
    end loop;
  end if;
  return left(body, 4000);
end $$;

-- The newest posts or replies that match, in one language and between two times if given. Neither the index of words nor that
-- of times is fast for both frequent and rare words, so this reads the newest day first, then the four days before it, the
-- twenty before those, and so on until there are enough. For a frequent word the first days suffice; a rare word has few
-- documents in all.
create or replace function newest_search_documents(its_kind text, asked tsquery, in_title boolean, places uuid[],
  wanted integer, its_locale text, from_time timestamptz, until_time timestamptz)
returns setof search_documents language plpgsql stable rows 400 as $$
declare
  newest timestamptz;
  oldest timestamptz;
  span interval := '1 day';
  till timestamptz := coalesce(until_time, 'infinity');
  since timestamptz;
  got integer;
begin
  select max(made_at), min(made_at) into newest, oldest from search_documents where kind = its_kind;
  newest := least(newest, until_time);
  oldest := greatest(oldest, from_time);
  while wanted > 0 and cardinality(places) > 0 and till > oldest loop
    since := newest - span;
    if since < oldest then
      since := oldest;
    end if;
    -- Planned with these values each time, because the better index depends on the words and on the days.
    return query execute format(
      'select * from search_documents where kind = $1 and %I @@ $2 and community_id = any($3) and made_at < $4
         and made_at >= $5 %s order by made_at desc limit $6', case when in_title then 'title_words' else 'words' end,
         case when its_locale is not null then 'and locale = $7' end)
      using its_kind, asked, places, till, since, wanted, its_locale;
    get diagnostics got = row_count;
    wanted := wanted - got;
    till := since;
    span := 5 * span;
  end loop;
end $$;

-- The text of HTML that the product generated, which has no other entities. Mentions are left out, because they are not words
-- of the author.
create or replace function html_text(html text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(replace(replace(
    regexp_replace(html, '<[^>]*>|\{\{[0-9a-fA-F-]{36}\}\}', ' ', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&')
$$;

-- Inserts or replaces a document.
create or replace function put_search_document(
  its_kind text, its_id text, its_locale text, its_title text, its_body text, its_time timestamptz,
  its_community uuid default null, its_activity uuid default null, its_journey uuid default null) returns void
language plpgsql as $$
declare
  configuration regconfig := search_configuration(its_locale);
  title text := coalesce(its_title, '');
  body text := left(coalesce(its_body, ''), 200000);
  title_words tsvector := setweight(to_tsvector(configuration, search_words(title)), 'A');
begin
  insert into search_documents as d (kind, object_id, locale, title, body, made_at, community_id, activity_id, journey_key,
    title_words, words)
  values (its_kind, its_id, its_locale, title, body, its_time, its_community, its_activity, its_journey, title_words,
    title_words || setweight(to_tsvector(configuration, search_words(body)), 'C'))
  on conflict on constraint search_documents_pkey do update set title = excluded.title, body = excluded.body,
    made_at = excluded.made_at, title_words = excluded.title_words, words = excluded.words;
end $$;

-- Stores a catalogue text in every language it has a title in, and deletes the others.
create or replace function put_localised_documents(
  its_kind text, its_id text, titles jsonb, texts jsonb, its_time timestamptz, its_community uuid default null)
returns void language plpgsql as $$
begin
  delete from search_documents where kind = its_kind and object_id = its_id and not titles ? locale;
  perform put_search_document(its_kind, its_id, key, value, texts->>key, its_time, its_community)
  from jsonb_each_text(titles);
end $$;

-- Stores a lesson in one language, or in every language it has a text in.
create or replace function put_lesson_documents(its_key uuid, in_locale text default null) returns void language plpgsql as $$
begin
  delete from search_documents
  where kind = 'lesson' and object_id = its_key::text and (in_locale is null or locale = in_locale);
  perform put_search_document('lesson', l.key::text, b.locale, coalesce(l.title->>b.locale, b.title, l.title->>'en'),
    html_text(b.html), now(), null, null, l.journey_key)
  from lessons l join bodies b on b.lesson_key = l.key
  where l.key = its_key and l.withdrawn_at is null and (in_locale is null or b.locale = in_locale);
end $$;

-- Stores a microcourse in one language, or in every language it has a text in.
create or replace function put_microcourse_documents(its_id text, in_locale text default null) returns void language plpgsql as $$
begin
  delete from search_documents
  where kind = 'microcourse' and object_id = its_id and (in_locale is null or locale = in_locale);
  perform put_search_document('microcourse', m.id, b.locale, coalesce(m.title->>b.locale, b.title, m.title->>'en'),
    concat_ws(' ', m.summary->>b.locale, html_text(b.html)), now())
  from microcourses m join bodies b on b.microcourse_id = m.id
  where m.id = its_id and (in_locale is null or b.locale = in_locale);
end $$;

-- Stores or deletes the document of a post, or those of a lesson discussion.
create or replace function search_activity() returns trigger language plpgsql as $$
declare
  journey uuid;
begin
  if tg_op = 'DELETE' then
    delete from search_documents where activity_id = old.id;
    return null;
  end if;
  if new.deleted_at is not null or new.community_id is null and new.lesson_key is null then
    delete from search_documents where activity_id = new.id;
  elsif new.community_id is null then
    delete from search_documents
    where kind = 'discussion' and object_id = new.id::text and not new.body_html_map ? locale;
    select l.journey_key into journey from lessons l where l.key = new.lesson_key;
    perform put_search_document('discussion', new.id::text, key, null, html_text(value), new.created_at, null, new.id, journey)
    from jsonb_each_text(new.body_html_map);
  else
    if tg_op = 'UPDATE' and new.locale <> old.locale then
      delete from search_documents where kind = 'post' and object_id = new.id::text;
    end if;
    perform put_search_document('post', new.id::text, new.locale, new.title, html_text(new.body_html), new.created_at,
      new.community_id, new.id);
  end if;
  return null;
end $$;
create or replace trigger search_activity after insert or delete or update of title, body_html, body_html_map, locale, deleted_at,
  community_id
  on activities for each row execute function search_activity();

-- Stores or deletes the document of a reply.
create or replace function search_reaction() returns trigger language plpgsql as $$
declare
  community uuid;
  lesson uuid;
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind in ('reply', 'discussion') and object_id = old.id::text;
    return null;
  end if;
  if new.deleted_at is not null or tg_op = 'UPDATE' and new.locale <> old.locale then
    delete from search_documents where kind in ('reply', 'discussion') and object_id = new.id::text;
  end if;
  if new.deleted_at is null then
    select community_id, lesson_key into community, lesson from activities
    where id = new.activity_id and deleted_at is null;
    if community is not null then
      perform put_search_document('reply', new.id::text, new.locale, null, html_text(new.body_html), new.created_at,
        community, new.activity_id);
    elsif lesson is not null then
      perform put_search_document('discussion', new.id::text, new.locale, null, html_text(new.body_html), new.created_at,
        null, new.activity_id, l.journey_key) from lessons l where l.key = lesson;
    end if;
  end if;
  return null;
end $$;
create or replace trigger search_reaction_made after insert on reactions for each row when (new.kind = 'reply')
  execute function search_reaction();
create or replace trigger search_reaction_changed after update of body_html, locale, deleted_at on reactions for each row
  when (new.kind = 'reply') execute function search_reaction();
create or replace trigger search_reaction_gone after delete on reactions for each row when (old.kind = 'reply')
  execute function search_reaction();

-- Stores or deletes the document of an article.
create or replace function search_article() returns trigger language plpgsql as $$
begin
  delete from search_documents where kind = 'article' and object_id = coalesce(new.id, old.id)::text;
  if tg_op <> 'DELETE' and new.withdrawn_at is null then
    perform put_search_document('article', new.id::text, new.locale, new.title,
      concat_ws(' ', new.subtitle, new.tldr, html_text(new.body_html)), new.published_date);
  end if;
  return null;
end $$;
create or replace trigger search_article after insert or delete
  or update of title, subtitle, tldr, body_html, locale, withdrawn_at, published_date
  on articles for each row execute function search_article();

-- Stores or deletes the documents of a course.
create or replace function search_course() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind = 'course' and object_id = old.id;
  else
    perform put_localised_documents('course', new.id, new.title, new.summary, now());
  end if;
  return null;
end $$;
create or replace trigger search_course after insert or delete or update of title, summary on courses
  for each row execute function search_course();

-- Stores or deletes the documents of an academy.
create or replace function search_academy() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind = 'academy' and object_id = old.id;
  else
    perform put_localised_documents('academy', new.id, new.title, new.description, now());
  end if;
  return null;
end $$;
create or replace trigger search_academy after insert or delete or update of title, description on academies
  for each row execute function search_academy();

-- Stores or deletes the documents of a community.
create or replace function search_community() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_documents where kind = 'community' and object_id = old.id::text;
  else
    perform put_localised_documents('community', new.id::text, new.title, new.description, new.created_at, new.id);
  end if;
  return null;
end $$;
create or replace trigger search_community after insert or delete or update of title, description on communities
  for each row execute function search_community();

-- Stores the document of a changed text of a lesson or microcourse.
create or replace function search_body() returns trigger language plpgsql as $$
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
create or replace trigger search_body after insert or delete or update of title, html on bodies
  for each row execute function search_body();

-- Stores the documents of a lesson that was renamed or withdrawn.
create or replace function search_lesson() returns trigger language plpgsql as $$
begin
  perform put_lesson_documents(coalesce(new.key, old.key));
  return null;
end $$;
create or replace trigger search_lesson after delete or update of title, withdrawn_at on lessons
  for each row execute function search_lesson();

-- Stores the documents of a microcourse that was renamed.
create or replace function search_microcourse() returns trigger language plpgsql as $$
begin
  perform put_microcourse_documents(coalesce(new.id, old.id));
  return null;
end $$;
create or replace trigger search_microcourse after delete or update of title, summary on microcourses
  for each row execute function search_microcourse();
