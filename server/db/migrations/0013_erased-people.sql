-- Nothing is written by or about a person who is erased: by a request that was under way, or at a process that has not
-- heard of it. Erasing changes the row of `users`, and a row about a person locks that one: either the erasure waits for
-- the row and then takes it too, or the row waits for the erasure and is refused here.
-- After the insert: what turns out to be there already waits for nobody. An idempotency key is looked at when its answer
-- is written: whoever changes a community locks that first and the person after it, and so does the erasure.
create function refuse_erased() returns trigger language plpgsql as $$
declare
  person uuid;
  is_erased boolean;
begin
  if tg_table_name in ('activities', 'articles') then
    person := new.author_id;
  elsif tg_table_name = 'referrals' then
    person := new.referrer_id;
  elsif tg_table_name = 'idempotency_keys' then
    person := case when new.caller ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then new.caller::uuid end;
  else
    person := new.user_id;
  end if;
  select u.erased_at is not null into is_erased from users u where u.id = person for key share;
  if is_erased then
    raise exception 'the person is erased' using errcode = 'OF001';
  end if;
  return null;
end $$;

create trigger refuse_erased after insert on academy_members for each row execute function refuse_erased();
create trigger refuse_erased after insert on activities for each row execute function refuse_erased();
create trigger refuse_erased after insert on ai_threads for each row execute function refuse_erased();
create trigger refuse_erased after insert on articles for each row execute function refuse_erased();
create trigger refuse_erased after insert on certificates for each row execute function refuse_erased();
create trigger refuse_erased after insert on challenges for each row execute function refuse_erased();
create trigger refuse_erased after insert on cohort_members for each row execute function refuse_erased();
create trigger refuse_erased after insert on community_members for each row execute function refuse_erased();
create trigger refuse_erased after insert on data_exports for each row execute function refuse_erased();
create trigger refuse_erased after update on idempotency_keys for each row execute function refuse_erased();
create trigger refuse_erased after insert on journey_enrolments for each row execute function refuse_erased();
create trigger refuse_erased after insert on lesson_completions for each row execute function refuse_erased();
create trigger refuse_erased after insert on mails for each row execute function refuse_erased();
create trigger refuse_erased after insert on password_history for each row execute function refuse_erased();
create trigger refuse_erased after insert on poll_votes for each row execute function refuse_erased();
create trigger refuse_erased after insert on reactions for each row execute function refuse_erased();
create trigger refuse_erased after insert on referrals for each row execute function refuse_erased();
create trigger refuse_erased after insert on sessions for each row execute function refuse_erased();
