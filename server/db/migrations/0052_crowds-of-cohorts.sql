-- Who is in several cohorts at once and counts once: the people of a cohort as bits, so that those of hundreds of cohorts
-- are brought together without looking at each membership. A person's bit is their number.
alter table users add column number integer generated always as identity unique;

drop index users_in_use;
create index users_in_use on users (id) include (role, number)
  where email_proven_at is not null and erased_at is null and role <> 'inactive';

-- Bit n of chunk c is set for the member whose number is 4096 c + n. They say what cohort_members says of every cohort
-- without a line in tally_changes; a cohort with one has changed since, and is read from its members.
create table cohort_crowds (
  cohort_id uuid not null references cohorts on delete cascade,
  chunk integer not null,
  people bit(4096) not null,
  primary key (cohort_id, chunk)
);

create view counted_crowds as
select m.cohort_id, u.number >> 12 as chunk, bit_or(set_bit(0::bit(4096), u.number & 4095, 1)) as people
from cohort_members m join users u on u.id = m.user_id
group by m.cohort_id, u.number >> 12;

-- Whoever takes lines away makes the bits anew, in the same transaction. The members are read after the lines were taken,
-- never before: who comes or goes in between has a line that waits still.
create function follow_crowds() returns trigger language plpgsql as $$
declare
  changed uuid[] := array(select distinct key::uuid from taken where thing = 'cohort_members');
begin
  -- Those that are still there, and stay until this ends.
  changed := array(select id from cohorts where id = any(changed) order by id for key share);
  delete from cohort_crowds where cohort_id = any(changed);
  insert into cohort_crowds select cohort_id, chunk, people from counted_crowds where cohort_id = any(changed);
  return null;
end $$;
create trigger follow_crowds after delete on tally_changes
  referencing old table as taken for each statement execute function follow_crowds();

-- What is there already. Lines cannot be taken without the trigger any more, so whoever comes or goes now has one.
insert into cohort_crowds select cohort_id, chunk, people from counted_crowds;

-- Another person in the place of one is a change of the cohort too.
drop trigger tally_moved on cohort_members;
create trigger tally_moved after update on cohort_members for each row
  when ((old.cohort_id, old.user_id) is distinct from (new.cohort_id, new.user_id)) execute function move_cohort_tally();
