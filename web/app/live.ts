import { useEffect, useState } from 'react';

/** The posts somebody waits for: those newer than `since` in the community `slug`. */
type Posts = { slug: string; since: string };
/** What a part of the page wants to hear. Without `posts`, of the viewer's own notifications. */
type Listener = { posts?: Posts; hear: (count: number) => void };

/** A hidden tab keeps its stream for so long: a person may have six, and a browser as many connections. */
const HIDDEN_MS = 15_000;
/** Parts of one page come and go together; the stream follows once they have settled. */
const SETTLE_MS = 150;
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 120_000;

/** Before all others. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const listeners = new Set<Listener>();
let source: EventSource | undefined;
/** Of the open stream: where it is, and whether it is a reader's. */
let openKey: string | undefined;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What to listen to, or undefined when nobody wants to. One stream tells of both. */
function wanted(): { key: string; address: string } | undefined {
  if (listeners.size === 0 || document.visibilityState === 'hidden') return undefined;
  const all = [...listeners];
  const posts = all.find((listener) => listener.posts)?.posts;
  const query = posts ? `?${new URLSearchParams({ community: posts.slug, since: posts.since })}` : '';
  const address = `/api/notifications/stream${query}`;
  return { key: `${address} ${all.some((listener) => !listener.posts)}`, address };
}

function close(): void {
  source?.close();
  source = undefined;
  openKey = undefined;
}

function later(work: () => void, ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(work, ms);
}

function listen(): void {
  const want = wanted();
  if (want?.key === openKey) return;
  close();
  if (!want) return;
  openKey = want.key;
  source = new EventSource(want.address);
  source.addEventListener('open', () => (failures = 0));
  // The browser would try again at one pace for ever, and not at all after a refusal.
  source.addEventListener('error', () => {
    close();
    const ms = Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS);
    failures += 1;
    later(listen, ms * (0.75 + Math.random() / 2));
  });
  source.addEventListener('unread', ({ data }) => {
    const { unread } = JSON.parse(data) as { unread: number }; // shape: contract/notifications.ts
    for (const { posts, hear } of listeners) if (!posts) hear(unread);
  });
  source.addEventListener('posts', ({ data }) => {
    const { count, since } = JSON.parse(data) as { count: number; since: string }; // shape: as above
    for (const { posts, hear } of listeners) if (posts?.since === since) hear(count);
  });
}

/** After the page has loaded: what is on it goes first. */
function settle(): void {
  if (document.readyState === 'complete') later(listen, SETTLE_MS);
  else addEventListener('load', settle, { once: true });
}

function hasTurned(): void {
  if (document.visibilityState === 'hidden') return later(close, HIDDEN_MS);
  failures = 0;
  settle();
}

function add(listener: Listener): () => void {
  if (listeners.size === 0) {
    document.addEventListener('visibilitychange', hasTurned);
    addEventListener('pagehide', close);
    addEventListener('pageshow', hasTurned);
    addEventListener('online', hasTurned);
  }
  listeners.add(listener);
  settle();
  return () => {
    listeners.delete(listener);
    settle();
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', hasTurned);
    removeEventListener('pagehide', close);
    removeEventListener('pageshow', hasTurned);
    removeEventListener('online', hasTurned);
  };
}

/**
 * How many posts by others are newer in a community than `since`, the newest one shown: 0 until some come, and again
 * when `since` changes; at most 100. Leave `since` out for an empty feed, and `slug` where the reader is shown none. One
 * place at a time: a page has one stream.
 */
export function useNewPosts(slug: string | undefined, since: string | undefined = FIRST_ID): number {
  const place = `${slug} ${since}`;
  const [heard, setHeard] = useState({ place, count: 0 });
  useEffect(() => {
    if (slug === undefined) return undefined;
    return add({ posts: { slug, since }, hear: (count) => setHeard({ place, count }) });
  }, [slug, since, place]);
  return heard.place === place ? heard.count : 0;
}

/**
 * How many notifications are unread. `told` came with the page and holds until the stream says otherwise, as a new
 * object then does again; null for whoever has none: nothing is listened to.
 */
export function useUnread(told: { unread: number } | null): number {
  const [heard, setHeard] = useState({ after: told, unread: told?.unread ?? 0 });
  useEffect(() => {
    if (told === null) return undefined;
    return add({ hear: (unread) => setHeard({ after: told, unread }) });
  }, [told]);
  return heard.after === told ? heard.unread : (told?.unread ?? 0);
}
