import { expect, it } from 'vitest';
import type { Api, Attempt } from '../../server/api.ts';
import { WHOLE_THREAD } from './thread-address.ts';
import { loadReplies } from './thread.loader.ts';

// Ids in chronological order: one reply to the post, `count` replies to it.
const POST = idOf(1);
const TOP = idOf(2);
function idOf(number: number): string {
  return `0193a7c2-5b1e-7d30-9f4a-${String(number).padStart(12, '0')}`;
}
const childId = (number: number) => idOf(1000 + number);

type Query = { id_gt: string; limit: string };
const item = (id: string, replies: number) => ({
  id,
  actor: { id: idOf(9), name: 'A', thumbnail: null, jobTitle: null, organization: null },
  body: id,
  bodyHtml: id,
  locale: 'en',
  additional_data: {},
  mentioned_users: {},
  children_counts: { like: 0, reply: replies },
  own_reactions: {},
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** Stand-ins for the API of a thread with one branch. */
function callers(count: number): { api: Api; attempt: Attempt } {
  const answer = ({ name }: { name: string }, { params, query }: { params: { id: string }; query: Query }) => {
    if (name === 'locateReaction') return { activityId: POST, path: params.id === TOP ? [TOP] : [TOP, params.id] };
    if (name === 'listActivityReactions') return { results: [item(TOP, count)] };
    const after = Array.from({ length: count }, (_, index) => childId(index + 1)).filter((id) => id > query.id_gt);
    const results = after.slice(0, Number(query.limit)).map((id) => item(id, 0));
    return after.length > results.length ? { results, next: 'id_gt=x' } : { results };
  };
  return {
    api: (async (endpoint: never, call: never) => answer(endpoint, call)) as unknown as Api, // only the calls made here
    attempt: (async (endpoint: never, call: never) => ({
      ok: true,
      body: answer(endpoint, call),
    })) as unknown as Attempt, // as above
  };
}

async function branch(count: number, view: object) {
  const where = { slug: 'city', id: POST, edit: undefined };
  const page = await loadReplies(callers(count), where, { ...WHOLE_THREAD, ...view });
  const [top] = page?.replies ?? [];
  const ids = top?.children.map(({ id }) => Number(id.slice(-12)) - 1000) ?? [];
  return { first: ids[0], last: ids.at(-1), unseen: top?.unseen, hasBefore: top?.hasBefore, hasAfter: top?.hasAfter };
}

it('shows the start of a branch, and all of it when opened', async () => {
  expect(await branch(12, {})).toEqual({ first: 1, last: 10, unseen: 2, hasBefore: false, hasAfter: false });
  expect(await branch(12, { open: TOP })).toEqual({ first: 1, last: 12, unseen: 0, hasBefore: false, hasAfter: false });
  expect(await branch(130, { open: TOP })).toMatchObject({ first: 1, last: 100, hasBefore: false, hasAfter: true });
});

it('opens a branch at the requested reply, however far down it is', async () => {
  expect(await branch(130, { at: childId(100) })).toMatchObject({ first: 1, last: 100, hasBefore: false });
  expect(await branch(130, { at: childId(120) })).toEqual({
    first: 120,
    last: 130,
    unseen: 119,
    hasBefore: true,
    hasAfter: false,
  });
  expect(await branch(330, { at: childId(120) })).toMatchObject({ first: 120, last: 219, hasAfter: true });
  // The parent itself is requested: starts at the first again.
  expect(await branch(330, { at: TOP })).toMatchObject({ first: 1, last: 100, hasBefore: false, hasAfter: true });
});
