import { FEED_PAGE_SIZE, type Ranking } from '@officium/contract/community';
import type { Pool } from 'pg';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type AccessRow } from './access.repository.ts';
import { ALIVE, ORDER } from './activity.repository.ts';
import { COMMUNITY_TEXT, SHARED_TEXT } from './activity.sql.ts';
import { COUNTED_POLL_JSON, POLL_JSON } from './poll.sql.ts';
import { actorText, type Reader, READER, READERS, readersValues, readerValues, showsProfile } from './reader.sql.ts';

/** The rankings whose order changes only when something is written. */
export type LastingRanking = Exclude<Ranking, 'community_feed_testing'>;

/** A post as all readers of a kind see it who have not reacted to it. */
export type SharedPost = {
  id: string;
  /** Members of its JSON that never differ, without the braces. */
  text: string;
  actor: string;
  /** Its author, where a few readers may see more of them than the others. */
  hiddenAuthor: string | null;
  /** Of a poll: how it looks to who has not voted, and to who has, but for their votes. */
  poll: string | null;
  votedPoll: object | null;
  hasReactions: boolean;
};

/** The first page of a feed as it was at one moment, and how to tell whether it is so still. */
export type SharedPage = {
  posts: SharedPost[];
  /** How many there are in the community. */
  total: number;
  /** The number of the earliest transaction under way at that moment. */
  floor: string;
  /** How many transactions from that number on had changed something. */
  changes: number;
  /** When the next poll of the community closes. */
  closesAt: string | null;
};

/** Stands in for a page when only the access is wanted; its floor is above every transaction. */
export const NO_PAGE: SharedPage = { posts: [], total: 0, floor: '18446744073709551615', changes: 0, closesAt: null };

/** Under it stand changes that may be seen in all communities: those of people. */
export const EVERYWHERE = '00000000-0000-0000-0000-000000000000';
export const FLOOR = 'pg_snapshot_xmin(pg_current_snapshot())';

/** How many transactions, from a number on, left a line in `feed_changes` under that id. */
export const changesOf = (id: string, floor: string) =>
  `(select count(*)::int from feed_changes x where x.community_id = ${id} and x.xid >= ${floor})`;

/** The same of what is seen in the community `c`. */
const changesFrom = (floor: string) => `(${changesOf('c.id', floor)} + ${changesOf(`'${EVERYWHERE}'`, floor)})`;

/** Whether some readers of the kind of `v` may see more of a person than `v` does, who is nobody in particular. */
export const isHidden = (user: string) => `${user}.erased_at is null and not ${showsProfile(user)}`;

/** Of the people of an array those the reader may see, by their ids. */
export const ownActors = (ids: string) => `(
  select json_object_agg(u.id, u.actor_json::json) from users u where u.id = any(${ids}::uuid[]) and ${showsProfile('u')})`;

const pageText = (ranking: LastingRanking) => `
  select ${FLOOR}::text as floor, ${changesFrom(FLOOR)} as changes, activity_count(c.id) as total,
    (select min(p.deadline_at)::text from polls p join activities a on a.id = p.id
      where p.deadline_at > now() and ${ALIVE}) as "closesAt",
    (select coalesce(json_agg(json_build_object('id', a.id, 'text', ${SHARED_TEXT}, 'actor', ${actorText('u')},
        'hiddenAuthor', case when ${isHidden('u')} then u.id end,
        'poll', case when a.verb = 'poll' then ${POLL_JSON}::text end,
        'votedPoll', case when a.verb = 'poll' then ${COUNTED_POLL_JSON} end,
        'hasReactions', a.like_count + a.pin_count > 0) order by ${ORDER[ranking]}), '[]')
      from (select a.* from activities a where ${ALIVE} order by ${ORDER[ranking]} limit ${FEED_PAGE_SIZE}) a
      join users u on u.id = a.author_id) as posts
  from ${READER} cross join communities c where c.slug = $5`;

const PAGE: Record<LastingRanking, string> = {
  community_feed_live: pageText('community_feed_live'),
  recent_with_pin: pageText('recent_with_pin'),
};

/** The page as a reader of this kind sees it who is nobody in particular; undefined without such a community. */
export async function getSharedPage(
  pool: Pool,
  reader: Reader,
  feed: { slug: string; ranking: LastingRanking },
): Promise<SharedPage | undefined> {
  const [, ...kind] = readerValues(reader.viewer, reader.locale);
  const { rows } = await pool.query<SharedPage>({
    name: `feed-page:${feed.ranking}`,
    text: PAGE[feed.ranking],
    values: [EVERYWHERE, ...kind, feed.slug],
  });
  return rows[0];
}

/** What of a page is the reader's own, and whether the page is still so. */
export type OwnPart = AccessRow & {
  reader: string;
  community: string;
  changes: number;
  hasClosed: boolean;
  /** Three for each reaction: the post, the kind, the reaction's id. */
  reactions: string | null;
  /** Three for each vote: the poll, the vote's id, the option. */
  votes: string | null;
  actors?: Record<string, object> | null;
};

const ownText = ({ hasHidden }: { hasHidden: boolean }) => `
  select v.id as reader, ${ACCESS_COLUMNS}, ${COMMUNITY_TEXT} as community,
    ${changesFrom('$6::xid8')} as changes, coalesce($7::timestamptz <= now(), false) as "hasClosed",
    (select string_agg(concat_ws(' ', own.activity_id, own.kind, own.id), ' ') from reactions own
      where own.activity_id = any($8::uuid[]) and own.user_id = v.id and own.parent_id is null and own.kind <> 'reply')
      as reactions,
    (select string_agg(concat_ws(' ', pv.poll_id, pv.id, pv.option_id), ' ' order by pv.id) from poll_votes pv
      where pv.poll_id = any($9::uuid[]) and pv.user_id = v.id) as votes${
        hasHidden
          ? `,
    ${ownActors('$10')} as actors`
          : ''
      }
  from ${READERS} cross join ${ACCESS_SOURCE}
  where c.slug = $5`;

const OWN = ownText({ hasHidden: false });
const OWN_WITH_HIDDEN = ownText({ hasHidden: true });

/**
 * A plan made for all lists expects ten ids. For fewer the database would think it worth while to plan anew each time,
 * which takes longer than the statement; the ids added here are nobody's and are looked up once.
 */
const EXPECTED_IDS = 10;
export const padded = (ids: string[]) => [
  ...ids,
  ...Array.from({ length: Math.max(0, EXPECTED_IDS - ids.length) }, () => EVERYWHERE),
];

/** How readers of one kind stand to the community, and what of the page is theirs, all at one moment. */
export async function findOwnParts(
  pool: Pool,
  readers: { ids: string[]; any: Reader },
  feed: { slug: string; page: SharedPage },
): Promise<OwnPart[]> {
  const { posts, floor, closesAt } = feed.page;
  const isPerson = readers.any.viewer.kind === 'user';
  const idsOf = (found: SharedPost[]) => padded(isPerson ? found.map(({ id }) => id) : []);
  const hidden = isPerson ? posts.flatMap(({ hiddenAuthor }) => hiddenAuthor ?? []) : [];
  const { rows } = await pool.query<OwnPart>({
    name: hidden.length > 0 ? 'feed-own-hidden' : 'feed-own',
    text: hidden.length > 0 ? OWN_WITH_HIDDEN : OWN,
    values: [
      ...readersValues(readers.ids, readers.any),
      feed.slug,
      floor,
      closesAt,
      idsOf(posts.filter((post) => post.hasReactions)),
      idsOf(posts.filter(({ poll }) => poll !== null)),
      ...(hidden.length > 0 ? [padded(hidden)] : []),
    ],
  });
  return rows;
}
