-- The newest posts or replies that have the words, however many have them. Neither index alone can say: that of words gives
-- all texts that have them, that of times all texts from the newest down. So the newest day is asked first, then the four
-- days before it, the twenty before those, and so on until there are enough. Of a frequent word the first days hold enough;
-- of a rare one there are few in all.
create function newest_search_documents(its_kind text, asked tsquery, in_title boolean, places uuid[], wanted integer)
returns setof search_documents language plpgsql stable rows 400 as $$
declare
  newest timestamptz;
  oldest timestamptz;
  span interval := '1 day';
  till timestamptz := 'infinity';
  since timestamptz;
  got integer;
begin
  select max(made_at), min(made_at) into newest, oldest from search_documents where kind = its_kind;
  while wanted > 0 and till > oldest loop
    since := newest - span;
    -- Planned with these values each time: which index is better depends on the words and on the days.
    return query execute format(
      'select * from search_documents where kind = $1 and %I @@ $2 and community_id = any($3) and made_at < $4
         and made_at >= $5 order by made_at desc limit $6', case when in_title then 'title_words' else 'words' end)
      using its_kind, asked, places, till, since, wanted;
    get diagnostics got = row_count;
    wanted := wanted - got;
    till := since;
    span := 5 * span;
  end loop;
end $$;

-- The catalogue is a small part of what there is, and its words are not looked for among what people said.
create index search_documents_catalogue_words on search_documents using gin (words) where kind not in ('post', 'reply');
create index search_documents_catalogue_title_words on search_documents using gin (title_words)
  where kind not in ('post', 'reply');

-- Of a word the statistics do not know the database thinks that a good many texts have it. They know ten times as many.
alter table search_documents alter column words set statistics 1000, alter column title_words set statistics 1000;
