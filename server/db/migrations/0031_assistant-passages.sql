-- The passages of lessons that the assistant may quote. They are cut from the text of a lesson when somebody first asks
-- in its course, and forgotten in the transaction that changes that text: what is here is what the lesson says now.

create table passage_sets (
  lesson_key uuid not null references lessons on delete cascade,
  locale text not null,
  primary key (lesson_key, locale)
);

create table passages (
  lesson_key uuid not null,
  locale text not null,
  position integer not null,
  section integer not null,               -- those below the same heading
  heading text,
  anchor text,                            -- the nearest place in the lesson a link can lead to
  is_example boolean not null,            -- what a lesson shows rather than says
  body text not null,
  words tsvector not null,                -- of the body
  heading_words tsvector not null,        -- of the heading and the title of the lesson
  primary key (lesson_key, locale, position),
  foreign key (lesson_key, locale) references passage_sets on delete cascade
);
create index passages_words on passages using gin ((words || heading_words));
create index passages_body on passages using gin (body gin_trgm_ops);

create function forget_passages() returns trigger language plpgsql as $$
begin
  delete from passage_sets where lesson_key = old.lesson_key and locale = old.locale;
  return null;
end $$;
create trigger forget_passages after delete or update of html, locale on bodies
  for each row when (old.lesson_key is not null) execute function forget_passages();

-- A lesson's title is among the words of its passages.
create function forget_passages_of_lesson() returns trigger language plpgsql as $$
begin
  delete from passage_sets where lesson_key = old.key;
  return null;
end $$;
create trigger forget_passages_of_lesson after update of title on lessons
  for each row when (old.title is distinct from new.title) execute function forget_passages_of_lesson();
