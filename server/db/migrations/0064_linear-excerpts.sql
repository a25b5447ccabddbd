-- The words to mark in an excerpt. The time of `ts_headline` is a power of the number of query words when the text repeats
-- them: seconds for ten times one word. So long queries, and queries that repeat a word, are marked word by word.
create function marked_query(configuration regconfig, asked text) returns tsquery
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
