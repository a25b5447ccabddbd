import { useEffect, useState } from 'react';

/** Posts to watch: those newer than `since` in the community `slug`. */
type Posts = { slug: string; since: string };
/** A subscriber. Without `posts` it receives the viewer's notification count. */
type Listener = { posts?: Posts; notify: (count: number) => void };

/** A hidden tab closes its stream after this: viewers may have six, and browsers limit connections too. */
const HIDDEN_MS = 15_000;
/** Components of a page mount together; the stream follows once they have settled. */
const SETTLE_MS = 150;
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 120_000;

/** Lower than every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const listeners = new Set<Listener>();
let source: EventSource | undefined;
/** Key of the open stream: its address and whether it is a viewer's. */
let openKey: string | undefined;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The stream to open, or undefined without subscribers. One stream carries both kinds. */
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
  // The browser retries at a fixed interval forever, and never after a refusal.
  source.addEventListener('error', () => {
    close();
    const ms = Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS);
    failures += 1;
    later(listen, ms * (0.75 + Math.random() / 2));
  });
  source.addEventListener('unread', ({ data }) => {
    const { unread } = JSON.parse(data) as { unread: number }; // shape: contract/notifications.ts
    for (const { posts, notify } of listeners) if (!posts) notify(unread);
  });
  source.addEventListener('posts', ({ data }) => {
    const { count, since } = JSON.parse(data) as { count: number; since: string }; // shape: as above
    for (const { posts, notify } of listeners) if (posts?.since === since) notify(count);
  });
}

/** After the page has loaded, so that its own resources come first. */
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
 * Number of posts by others in a community newer than `since`, the newest one shown; at most 100. Starts at 0, and
 * again when `since` changes. Leave `since` out for an empty feed, and `slug` when the viewer may not read it. Use it
 * once per page: there is one stream.
 */
export function useNewPosts(slug: string | undefined, since: string | undefined = FIRST_ID): number {
  const place = `${slug} ${since}`;
  const [heard, setHeard] = useState({ place, count: 0 });
  useEffect(() => {
    if (slug === undefined) return undefined;
    return add({ posts: { slug, since }, notify: (count) => setHeard({ place, count }) });
  }, [slug, since, place]);
  return heard.place === place ? heard.count : 0;
}

/**
 * Number of unread notifications. `told` comes with the page and holds until the stream or a new object replaces it;
 * null for viewers without notifications, for whom no stream opens.
 */
export function useUnread(told: { unread: number } | null): number {
  const [heard, setHeard] = useState({ after: told, unread: told?.unread ?? 0 });
  useEffect(() => {
    if (told === null) return undefined;
    return add({ notify: (unread) => setHeard({ after: told, unread }) });
  }, [told]);
  return heard.after === told ? heard.unread : (told?.unread ?? 0);
}
