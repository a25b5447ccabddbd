import { timestampText } from './reader.sql.ts';

const CLOSED = `coalesce(p.deadline_at <= now(), false)`;
const VISIBLE = `(p.results_visibility = 'always' or ${CLOSED} or own.votes is not null)`;

/**
 * The contract's PollView for an activity `a` of verb poll and a reader `v` (reader.sql.ts). Counts are there only for
 * whom results_visibility lets see them, and winners once the poll is closed: nobody without a vote wins, ties at the
 * cut all do.
 */
export const POLL_JSON = pollJson(VISIBLE);

/** The same with its counts, whoever reads it. */
export const COUNTED_POLL_JSON = pollJson('true');

function pollJson(visible: string): string {
  return `(
  select json_strip_nulls(json_build_object(
    'id', p.id,
    'totalVotes', case when ${visible} then p.vote_count end,
    'closed', ${CLOSED},
    'winners', case when ${CLOSED} then (
      select coalesce(json_agg(w.id order by w.position), '[]')
      from (select o.id, o.position, o.vote_count, rank() over (order by o.vote_count desc) as place
            from poll_options o where o.poll_id = p.id) w
      where w.place <= p.number_of_winners and w.vote_count > 0) end,
    'options', (
      select json_agg(json_build_object('id', o.id, 'position', o.position, 'body', o.body,
        'votes', case when ${visible} then o.vote_count end) order by o.position)
      from poll_options o where o.poll_id = p.id),
    'ownVotes', coalesce(own.votes, '[]')))::jsonb
    || jsonb_build_object('title', a.title, 'settings', jsonb_build_object(
      'allow_multiple_votes', p.allow_multiple_votes,
      'deadline_at', ${timestampText('p.deadline_at')},
      'hide_participants', p.hide_participants,
      'number_of_winners', p.number_of_winners,
      'results_visibility', p.results_visibility))
  from polls p cross join lateral (
    select json_agg(json_build_object('id', pv.id, 'optionId', pv.option_id) order by pv.id) as votes
    from poll_votes pv where pv.poll_id = p.id and pv.user_id = v.id) own
  where p.id = a.id)`;
}
