-- Extensions and text search configurations.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- One configuration for each language, like PostgreSQL's own but without accents.
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
