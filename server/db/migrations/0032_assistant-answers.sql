-- What an answer rests on, and who made it: it is passages alone, or the words of a language model whose every quotation
-- was found in its passage, or passages again because the model could not be had. Answers from before say neither.
alter table ai_messages
  add column quotations jsonb not null default '[]', -- [{title, url, quote}], `url` a path
  add column made_by text check (made_by in ('passages', 'model', 'fallback'));

-- Tokens of the language model, a row a person and day and one a day for everybody. What a call may cost at most is taken
-- before it goes out and put right when it is over.
create table ai_person_tokens (
  user_id uuid not null references users on delete cascade,
  day date not null,
  tokens integer not null default 0 check (tokens >= 0),
  primary key (user_id, day)
);
create trigger refuse_erased after insert on ai_person_tokens for each row execute function refuse_erased();
create table ai_tokens (
  day date primary key,
  tokens bigint not null default 0 check (tokens >= 0)
);
-- Calls under way. One that was never put right (its process died) counts in full, and after a minute as over.
create table ai_calls (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  day date not null,
  tokens integer not null,
  begun_at timestamptz not null default clock_timestamp()
);
create index ai_calls_person on ai_calls (user_id, begun_at);
create index ai_calls_age on ai_calls (begun_at);
create trigger refuse_erased after insert on ai_calls for each row execute function refuse_erased();

-- Takes tokens for a call. Answers 'taken', or what is used up: 'person', 'everybody', or 'busy' while as many calls of
-- this person are under way as may be. The locks, the person's row and then the day's, make it one after the other.
create function take_ai_tokens(
  call uuid, person uuid, wanted integer, most_a_person integer, most_a_day bigint, at_once integer) returns text
language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
begin
  insert into ai_person_tokens (user_id, day) values (person, today) on conflict do nothing;
  perform from ai_person_tokens where user_id = person and day = today and tokens + wanted <= most_a_person for update;
  if not found then
    return 'person';
  end if;
  if (select count(*) from ai_calls
      where user_id = person and begun_at > clock_timestamp() - interval '1 minute') >= at_once then
    return 'busy';
  end if;
  insert into ai_tokens (day) values (today) on conflict do nothing;
  update ai_tokens set tokens = tokens + wanted where day = today and tokens + wanted <= most_a_day;
  if not found then
    return 'everybody';
  end if;
  update ai_person_tokens set tokens = tokens + wanted where user_id = person and day = today;
  insert into ai_calls (id, user_id, day, tokens) values (call, person, today, wanted);
  return 'taken';
end $$;

-- Puts right what a call took, once.
create function settle_ai_tokens(call uuid, used integer) returns void language plpgsql as $$
declare
  taken ai_calls;
begin
  delete from ai_calls where id = call returning * into taken;
  if not found then
    return;
  end if;
  update ai_person_tokens set tokens = greatest(tokens - taken.tokens + used, 0)
  where user_id = taken.user_id and day = taken.day;
  update ai_tokens set tokens = greatest(tokens - taken.tokens + used, 0) where day = taken.day;
end $$;
