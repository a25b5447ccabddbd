-- Enrolments, and access given by e-mail address.

-- The current status: the job that stores `expired` may run late, and a later end date revives an enrolment.
create or replace function enrolment_status(status text, expires_on timestamptz) returns text language sql stable as $$
  select case
    when expires_on <= now() then 'expired'
    when status = 'expired' and expires_on > now() then 'enrolled'
    else status
  end
$$;

-- True when a cohort of the person has the entry as a product. PL/pgSQL, because every access check calls it and PostgreSQL
-- below 18 plans SQL functions at every call.
create or replace function is_granted(person uuid, entry text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select 1 from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
    where m.user_id = person and p.entry_id = entry);
end $$;
