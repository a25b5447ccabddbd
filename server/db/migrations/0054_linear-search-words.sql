-- PostgreSQL's parser for text search looks for the end of a comment from each `<!--`, and reads a run without spaces again
-- from many of its characters (is it an address, a path, a word with hyphens?): 64 KiB of `<!--`, `./` or `a_` took ten
-- seconds and more. A sign that no text has, after each `<` and after 64 characters without a space, keeps its work
-- linear; what is found is shown without it.
create function parser_safe(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(replace(given, '<', '<' || U&'\0001'), '\S{64}', '\&' || U&'\0001', 'g')
$$;

create or replace function search_words(given text) returns text language sql immutable strict parallel safe as $$
  select parser_safe(
    regexp_replace(given, '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])', '\1' || U&'\200B ', 'g'))
$$;

-- The part of a text an excerpt is made of: the first that has what is asked, or its beginning when only several parts
-- together have it. `ts_headline` takes the square of the number of matches: seconds for a long text of one word.
create function matching_part(body text, configuration regconfig, asked tsquery) returns text
language plpgsql immutable strict parallel safe as $$
declare
  part text;
begin
  if length(body) > 4000 then
    for place in 1 .. length(body) by 3500 loop
      part := substr(body, place, 4000);
      if to_tsvector(configuration, search_words(part)) @@ asked then
        return part;
      end if;
    end loop;
  end if;
  return left(body, 4000);
end $$;
