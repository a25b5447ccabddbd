-- Votes of a poll change one after another, under the lock of its row, because each updates the poll's counters. As
-- functions they hold the lock for one statement: voters wait for the disk, not for the network too. Everything read
-- after the lock, the clock included, is current. `outcome`: done, closed or gone.

-- Casts a vote, or moves the only one there may be.
create or replace function cast_vote(new_id uuid, chosen uuid, voter uuid, remark jsonb, out outcome text, out vote_id uuid)
language plpgsql as $$
declare
  poll polls;
  former poll_votes;
  is_first boolean;
begin
  select p.* into poll from polls p join poll_options o on o.poll_id = p.id where o.id = chosen for no key update of p;
  if not exists (select from activities a where a.id = poll.id and a.deleted_at is null) then
    outcome := 'gone';
    return;
  end if;
  if poll.deadline_at <= clock_timestamp() then
    outcome := 'closed';
    return;
  end if;
  outcome := 'done';

  -- The vote for this option, or the only vote of a single-choice poll.
  select v.* into former from poll_votes v
  where v.poll_id = poll.id and v.user_id = voter and (v.option_id = chosen or v.is_only)
  limit 1;
  if former.option_id = chosen then
    vote_id := former.id;
  elsif former.id is not null then
    update poll_votes set option_id = chosen, detail = remark where id = former.id;
    update poll_options set vote_count = vote_count + case id when chosen then 1 else -1 end
    where id in (chosen, former.option_id);
    vote_id := former.id;
  else
    is_first := not exists (select from poll_votes v where v.poll_id = poll.id and v.user_id = voter);
    insert into poll_votes (id, poll_id, option_id, user_id, is_only, detail)
    values (new_id, poll.id, chosen, voter, not poll.allow_multiple_votes, remark);
    update poll_options set vote_count = vote_count + 1 where id = chosen;
    update polls set vote_count = vote_count + 1, voter_count = voter_count + is_first::int where id = poll.id;
    vote_id := new_id;
  end if;
end $$;

-- Retracts a vote.
create or replace function retract_vote(vote_id uuid, voter uuid, out outcome text)
language plpgsql as $$
declare
  poll polls;
  former poll_votes;
  was_last boolean;
begin
  select p.* into poll from polls p join poll_votes v on v.poll_id = p.id where v.id = vote_id for no key update of p;
  if not exists (select from activities a where a.id = poll.id and a.deleted_at is null) then
    outcome := 'gone';
    return;
  end if;
  if poll.deadline_at <= clock_timestamp() then
    outcome := 'closed';
    return;
  end if;
  delete from poll_votes v where v.id = vote_id and v.user_id = voter returning v.* into former;
  if former.id is null then
    outcome := 'gone';
    return;
  end if;
  outcome := 'done';
  was_last := not exists (select from poll_votes v where v.poll_id = poll.id and v.user_id = voter);
  update poll_options set vote_count = vote_count - 1 where id = former.option_id;
  update polls set vote_count = vote_count - 1, voter_count = voter_count - was_last::int where id = poll.id;
end $$;
