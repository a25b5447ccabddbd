-- Texts of people in other languages, as a machine put them: made once for all who may read the text. They belong to the
-- text as it stands: whoever changes it, deletes it or has it removed takes them away in the same transaction.
create table machine_translations (
  thing_id uuid not null,              -- an activity, a reaction or an article
  part text not null,                  -- title, subtitle, tldr, body, or option:<id> of a poll
  source text not null,
  target text not null,
  engine text not null,                -- what translated, model included
  content_hash bytea not null,         -- SHA-256 of what was translated
  translation text not null,
  made_at timestamptz not null default now(),
  primary key (thing_id, target, engine, part)
);
create index machine_translations_age on machine_translations (made_at);

create function forget_translations() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'poll_options' then
    delete from machine_translations where thing_id = old.poll_id;
  else
    delete from machine_translations where thing_id = old.id;
  end if;
  return null;
end $$;
create trigger forget_translations after delete or update of title, body, body_map, locale, deleted_at on activities
  for each row execute function forget_translations();
create trigger forget_translations after delete or update of body, locale, deleted_at on reactions
  for each row when (old.kind = 'reply') execute function forget_translations();
create trigger forget_translations after delete or update of title, subtitle, body, tldr, locale, withdrawn_at on articles
  for each row execute function forget_translations();
create trigger forget_translations after delete or update of body on poll_options
  for each row execute function forget_translations();
