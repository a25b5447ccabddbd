import type { Pool } from 'pg';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type AccessRow } from './access.repository.ts';
import { changesOf, EVERYWHERE, FLOOR, isHidden, ownActors, padded } from './feed-page.repository.ts';
import { REACTION_PARTS } from './reaction.sql.ts';
import { actorText, type Reader, READERS, readersValues } from './reader.sql.ts';

/** A reply as all readers of a kind see it who have not reacted to it: its JSON text, cut where a reader's own goes. */
export type SharedReply = {
  id: string;
  before: string;
  /** Its author; null of a deleted one, of which `before` is all. */
  actor: string | null;
  between: string;
  after: string;
  /** Its author, where a few readers may see more of them than the others. */
  hiddenAuthor: string | null;
  /** Who likes and pins it: person, kind and id of each; null where they are too many to remember. */
  reactors: [string, string, string][] | null;
};

/** The first replies to an activity, one more than a page has, as they were at one moment. */
export type SharedReplies = {
  replies: SharedReply[];
  /** The transactions that wrote the rows as they are: whoever changes a reply, or its counters, writes its row anew. */
  versions: string[];
  /** As of a SharedPage, but for changes of people alone. */
  floor: string;
  changes: number;
};

export type ReplyWindow = { slug: string; activityId: string; limit: number; isForward: boolean };

export type RepliesRow = AccessRow & {
  reader: string;
  isThere: boolean;
  /** In the first row, the replies, if they are not what was known of them. */
  shared: SharedReplies | null;
  /** Three for each reaction of the reader's to one of `crowded`: the reply, the kind, the reaction's id. */
  reactions?: string | null;
  actors?: Record<string, object> | null;
};

/** What is known of the replies before; `crowded`: those whose reactors are not. */
export type KnownReplies = { shared: SharedReplies; crowded: string[]; hidden: string[] };

/** Reactors of a reply that has no more are remembered with it. */
const MAX_REACTORS = 20;

const REACTORS = `(
  select case when count(*) <= ${MAX_REACTORS} then coalesce(json_agg(json_build_array(one.user_id, one.kind, one.id)), '[]') end
  from (select x.user_id, x.kind, x.id from reactions x where x.parent_id = r.id and x.kind in ('like', 'pin')
    limit ${MAX_REACTORS + 1}) one)`;

/** The rows of the window, of which `columns` are wanted. */
const windowOf = (columns: string, isForward: boolean) => `(
  select ${columns} from reactions r where r.activity_id = $6 and r.parent_id is null and r.kind = 'reply'
  order by r.id ${isForward ? 'asc' : 'desc'} limit $7::int + 1) r`;

const sharedText = (isForward: boolean) => `(
  select json_build_object('floor', ${FLOOR}::text, 'changes', ${changesOf(`'${EVERYWHERE}'`, FLOOR)},
    'versions', coalesce(json_agg(r.version::text order by r.nth), '[]'),
    'replies', coalesce(json_agg(json_build_object('id', r.id, ${REACTION_PARTS},
      'actor', case when r.deleted_at is null then ${actorText('u')} end,
      'hiddenAuthor', case when ${isHidden('u')} then u.id end,
      'reactors', ${REACTORS}) order by r.nth), '[]'))
  from (select '${EVERYWHERE}'::uuid as id, v.is_active, v.is_admin) v
    cross join ${windowOf(`r.*, r.xmin as version, row_number() over (order by r.id ${isForward ? 'asc' : 'desc'}) as nth`, isForward)}
    join users u on u.id = r.user_id)`;

const repliesText = ({ isForward, hasOwn }: { isForward: boolean; hasOwn: boolean }) => `
  with known as materialized (
    select coalesce(coalesce(array_agg(r.id), '{}') = $8::uuid[] and coalesce(array_agg(r.version), '{}') = $9::xid[]
      and ${changesOf(`'${EVERYWHERE}'`, '$10::xid8')} = $11::int, false) as is_so
    from ${windowOf('r.id, r.xmin as version', isForward)})
  select v.id as reader, ${ACCESS_COLUMNS}, there.id is not null as "isThere",
    case when v.nth = 1 and there.id is not null and not known.is_so then ${sharedText(isForward)} end as shared${
      hasOwn
        ? `,
    (select string_agg(concat_ws(' ', own.parent_id, own.kind, own.id), ' ') from reactions own
      where own.parent_id = any($12::uuid[]) and own.user_id = v.id and own.kind <> 'reply') as reactions,
    ${ownActors('$13')} as actors`
        : ''
    }
  from ${READERS} cross join known cross join ${ACCESS_SOURCE}
    left join activities there on there.id = $6 and there.community_id = c.id and there.deleted_at is null
  where c.slug = $5`;

const STATEMENTS = [true, false].flatMap((isForward) =>
  [true, false].map((hasOwn) => ({ isForward, hasOwn, text: repliesText({ isForward, hasOwn }) })),
);

/**
 * How readers of one kind stand to the community, whether the activity is there, what of its replies is theirs, and the
 * replies if they are not as known: all as of one moment.
 */
export async function findSharedReplies(
  pool: Pool,
  readers: { ids: string[]; any: Reader },
  window: ReplyWindow,
  known: KnownReplies | undefined,
): Promise<RepliesRow[]> {
  const { slug, activityId, limit, isForward } = window;
  const { shared, crowded = [], hidden = [] } = known ?? {};
  const hasOwn = crowded.length + hidden.length > 0;
  const { rows } = await pool.query<RepliesRow>({
    name: `replies-${isForward ? 'first' : 'last'}${hasOwn ? '-own' : ''}`,
    text: STATEMENTS.find((one) => one.isForward === isForward && one.hasOwn === hasOwn)!.text, // all four are there
    values: [
      ...readersValues(readers.ids, readers.any),
      slug,
      activityId,
      limit,
      shared?.replies.map(({ id }) => id),
      shared?.versions,
      shared?.floor,
      shared?.changes,
      ...(hasOwn ? [padded(crowded), padded(hidden)] : []),
    ],
  });
  return rows;
}
