import type { Pool } from 'pg';
import { isActive, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { gathered } from '#server/db/gather.ts';
import { byFirst, kindOf } from './feed-page.service.ts';
import { Memory } from './memory.ts';
import type { ReactionPage, ReactionWindow } from './reaction.repository.ts';
import type { Reader } from './reader.sql.ts';
import * as repository from './reply-page.repository.ts';
import type { KnownReplies, RepliesRow, ReplyWindow, SharedReply } from './reply-page.repository.ts';

type Remembered = KnownReplies & {
  /** Of each person who reacted: of each reply, the members of their `own_reactions`. */
  reactors: Map<string, Map<string, string[]>>;
  /** The replies as who has nothing of their own there gets them. */
  texts: string[];
};

const memory = new Memory<Remembered>();

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The window of a request, if it is one that is remembered for readers of this kind. */
export function firstRepliesOf(
  viewer: UserViewer,
  at: { slug: string; activityId: string },
  { kind, limit, id_gt, id_lt }: ReactionWindow,
): ReplyWindow | undefined {
  const isFirst = id_lt === undefined && (id_gt === undefined || id_gt === FIRST_ID);
  return isActive(viewer) && kind === 'reply' && isFirst ? { ...at, limit, isForward: id_gt !== undefined } : undefined;
}

function textOf({ before, between, after, ...reply }: SharedReply, own: string[] = [], ownActor?: object): string {
  if (reply.actor === null) return before;
  const actor = ownActor ? JSON.stringify(ownActor) : reply.actor;
  return `${before}${actor}${between}${own.length > 0 ? `{ ${own.join(', ')} }` : '{}'}${after}`;
}

/** As the database writes it. */
const member = (kind: string, id: string) => `"${kind}" : "${id}"`;

function toRemembered(shared: repository.SharedReplies): Remembered {
  const { replies } = shared;
  const reactors: Remembered['reactors'] = new Map();
  for (const reply of replies)
    for (const [person, kind, id] of reply.reactors ?? []) {
      const own = reactors.get(person) ?? new Map<string, string[]>();
      reactors.set(person, own.set(reply.id, [...(own.get(reply.id) ?? []), member(kind, id)]));
    }
  return {
    shared,
    crowded: replies.filter((reply) => reply.reactors === null).map(({ id }) => id),
    hidden: replies.flatMap(({ hiddenAuthor }) => hiddenAuthor ?? []),
    reactors,
    texts: replies.map((reply) => textOf(reply)),
  };
}

/** The replies with what of them is the reader's own. */
function toPage(
  { shared: { replies }, reactors, texts }: Remembered,
  row: RepliesRow,
  { viewer, limit }: { viewer: UserViewer; limit: number },
): ReactionPage {
  const own = reactors.get(viewer.id);
  const looked = byFirst(row.reactions ?? null);
  const results = replies.slice(0, limit).map((reply, nth) => {
    const reactions = own?.get(reply.id) ?? looked.get(reply.id)?.map(([kind, id]) => member(kind, id));
    const actor = reply.hiddenAuthor === null ? undefined : row.actors?.[reply.hiddenAuthor];
    return reactions || actor ? textOf(reply, reactions, actor) : texts[nth];
  });
  return { results: results.join(','), last: replies.length > limit ? (replies[limit - 1]?.id ?? null) : null };
}

/** The replies and what of them is each reader's, as they are at one moment; without them when they change too fast. */
const openReplies = gathered(
  async (pool: Pool, { key, any, window }: { key: string; any: Reader; window: ReplyWindow }, ids) => {
    for (let tried = 0; ; tried += 1) {
      const remembered = memory.get(pool, key);
      const readAt = performance.now();
      const rows = await repository.findSharedReplies(pool, { ids, any }, window, remembered);
      const shared = rows.find((row) => row.shared !== null)?.shared;
      if (!shared) return { remembered, rows };
      const anew = toRemembered(shared);
      memory.put(pool, key, anew, readAt);
      // What there is of the readers' own that is not remembered was not looked up.
      if (anew.crowded.length + anew.hidden.length === 0) return { remembered: anew, rows };
      if (tried > 0) return { rows };
    }
  },
);

/**
 * The first replies to an activity, remembered, with what of them is the reader's own, both as they are at one moment;
 * undefined when they change faster than they can be read. `admit` is told of the reader's access and throws when they
 * may not have them.
 */
export async function findFirstReplies(
  ctx: Ctx,
  viewer: UserViewer,
  window: ReplyWindow,
  admit: (row: RepliesRow | undefined) => Promise<unknown>,
): Promise<ReactionPage | undefined> {
  const any = { viewer, locale: 'en' } as const; // replies are in the language they were written in
  const key = [window.slug, window.activityId, window.limit, window.isForward, kindOf(any)].join(' ');
  const { remembered, rows } = await openReplies(ctx.pool, { key, any, window }, viewer.id);
  const row = rows.find(({ reader }) => reader === viewer.id);
  await admit(row);
  return remembered && row && toPage(remembered, row, { viewer, limit: window.limit });
}
