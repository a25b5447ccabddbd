-- How many cohorts there are is counted as they come and go, as their members are.
create function tally_cohorts() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'cohorts', '', case tg_op when 'INSERT' then 1 else -1 end * count(*) from changed having count(*) > 0;
  return null;
end $$;
create trigger tally_added after insert on cohorts
  referencing new table as changed for each statement execute function tally_cohorts();
create trigger tally_gone after delete on cohorts
  referencing old table as changed for each statement execute function tally_cohorts();

insert into tallies (thing, key, n) select 'cohorts', '', count(*) from cohorts having count(*) > 0;
