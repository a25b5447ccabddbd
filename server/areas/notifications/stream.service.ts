import { Readable } from 'node:stream';
import { isActive, isUser, type Viewer } from '#server/access/viewer.ts';
import { openContent } from '#server/areas/community/members/access.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { addressAllowances } from '#server/limits/limits.ts';
import { countUnread } from './inbox.service.ts';
import { countPostsSince, getNewestPost } from './stream.repository.ts';

export type StreamRequest = {
  /** Reads the session again; an ended one yields an anonymous viewer. */
  authenticate: () => Promise<Viewer>;
  /** Anonymous streams are limited by the subnet and the site of this address. */
  address: string;
  community: string | undefined;
  since: string | undefined;
};
type Stream = StreamRequest & {
  out: Readable;
  isOpen: boolean;
  userId: string | undefined;
  communityId: string | undefined;
  unread: number | undefined;
  posts: number;
  checkedAt: number;
  beatAt: number;
  /** Consecutive heartbeats at which the client had not read everything sent before. */
  missed: number;
};

const MAX_PER_USER = 6;
const MAX_PER_ADDRESS = 30;
/** Heartbeats a client may leave unread. */
const MAX_MISSED = 3;
const MAX_BUFFERED_BYTES = 16_384;
/** Concurrent refreshes, limited to leave database connections to requests. */
const MAX_REFRESHES = 4;
const RETRY_MS = 3_000;

export type Streams = { open(request: StreamRequest): Promise<Readable>; close(): void };

/** A stream that has not been refreshed yet. Throws unless the viewer may have it. */
function newStream(request: StreamRequest, viewer: Viewer): Stream {
  if (isUser(viewer) || request.community === undefined) requireActiveUser(viewer);
  const now = performance.now();
  return {
    ...request,
    out: new Readable({ read() {} }),
    isOpen: true,
    userId: isUser(viewer) ? viewer.id : undefined,
    communityId: undefined,
    unread: undefined,
    posts: 0,
    checkedAt: now,
    beatAt: now,
    missed: 0,
  };
}

function send(stream: Stream, text: string): void {
  if (!stream.isOpen) return;
  stream.out.push(text);
  if (stream.out.readableLength > MAX_BUFFERED_BYTES) stream.out.destroy();
}

function sendEvent(stream: Stream, event: string, data: object): void {
  const id = stream.since === undefined ? '' : `id: ${stream.since}\n`;
  send(stream, `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`);
}

/** Sends a comment, so that proxies keep the connection; a client that reads nothing is cut off. */
function beat(stream: Stream): void {
  stream.beatAt = performance.now();
  stream.missed = stream.out.readableLength > 0 ? stream.missed + 1 : 0;
  if (stream.missed > MAX_MISSED) stream.out.destroy();
  else send(stream, ':\n\n');
}

/** Reads the counts again and sends what changed. Throws an AppError when the viewer has lost access. */
async function refresh(ctx: Ctx, stream: Stream): Promise<void> {
  const viewer = await stream.authenticate();
  if (stream.userId !== undefined) requireActiveUser(viewer);
  if ((isUser(viewer) ? viewer.id : undefined) !== stream.userId) throw new AppError('auth.required');
  if (isActive(viewer)) {
    const { unread } = await countUnread(ctx, viewer);
    if (unread !== stream.unread) sendEvent(stream, 'unread', { unread });
    stream.unread = unread;
  }
  if (stream.community !== undefined) {
    const { community } = await openContent(ctx.db, viewer, stream.community);
    stream.communityId = community.id;
    stream.since ??= await getNewestPost(ctx.db, community.id);
    const count = await countPostsSince(ctx.db, { ...stream, communityId: community.id });
    if (count !== stream.posts) sendEvent(stream, 'posts', { count, since: stream.since });
    stream.posts = count;
  }
}

type Counts = { take(stream: Stream): void; giveBack(stream: Stream): void };

/** Counts the open streams of each user, or address of signed-out visitors. */
function createCounts(): Counts {
  const open = new Map<string, number>();
  const allowancesOf = ({ userId, address }: Stream) =>
    userId === undefined ? addressAllowances(address, MAX_PER_ADDRESS) : [{ key: userId, max: MAX_PER_USER }];
  return {
    take(stream) {
      const allowances = allowancesOf(stream);
      if (allowances.some(({ key, max }) => (open.get(key) ?? 0) >= max))
        throw new AppError('request.too_many', { retryAfterSeconds: 60 });
      for (const { key } of allowances) open.set(key, (open.get(key) ?? 0) + 1);
    },
    giveBack(stream) {
      for (const { key } of allowancesOf(stream)) {
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      }
    },
  };
}

type Queue = { add(stream: Stream): void; drop(stream: Stream): void };

/** Handles a few streams at once. A stream that is added again before its turn is handled once. */
function createQueue(handle: (stream: Stream) => Promise<void>): Queue {
  const waiting = new Set<Stream>();
  let running = 0;
  const run = async () => {
    running += 1;
    for (const stream of waiting) {
      waiting.delete(stream);
      await handle(stream);
    }
    running -= 1;
  };
  return {
    add(stream) {
      waiting.add(stream);
      if (running < MAX_REFRESHES) void run();
    },
    drop: (stream) => void waiting.delete(stream),
  };
}

/** The open streams of this node. Each is refreshed after an announcement, and at least every `recheckMs`. */
export function createStreams(ctx: Ctx, { heartbeatMs = 20_000, recheckMs = 30_000, tickMs = 1_000 } = {}): Streams {
  const streams = new Set<Stream>();
  const counts = createCounts();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const remove = (stream: Stream) => {
    if (!streams.delete(stream)) return;
    stream.isOpen = false;
    queue.drop(stream);
    counts.giveBack(stream);
    if (streams.size === 0) clearInterval(timer);
  };
  const end = (stream: Stream) => {
    remove(stream);
    // A client that has not read its buffer would not read the end either.
    if (stream.out.readableLength > 0) stream.out.destroy();
    else stream.out.push(null);
  };
  const queue = createQueue(async (stream) => {
    stream.checkedAt = performance.now();
    try {
      await refresh(ctx, stream);
    } catch (error) {
      if (error instanceof AppError) end(stream);
      else ctx.log.warn({ err: error }, 'stream update failed');
    }
  });
  const tick = () => {
    const now = performance.now();
    for (const stream of streams) {
      if (now - stream.beatAt >= heartbeatMs) beat(stream);
      if (now - stream.checkedAt >= recheckMs) queue.add(stream);
    }
  };
  const unsubscribe = ctx.news.subscribe(({ people, communities }) => {
    const touched = new Set([...people, ...communities]);
    for (const stream of streams)
      if (touched.has(stream.userId ?? '') || touched.has(stream.communityId ?? '')) queue.add(stream);
  });

  return {
    async open(request) {
      const stream = newStream(request, await request.authenticate());
      if (isClosed) throw new AppError('server.unavailable');
      counts.take(stream);
      if (streams.size === 0) {
        timer = setInterval(tick, tickMs);
        timer.unref();
      }
      streams.add(stream);
      stream.out.on('close', () => remove(stream));
      try {
        send(stream, `retry: ${RETRY_MS}\n\n`);
        await refresh(ctx, stream);
      } catch (error) {
        remove(stream);
        throw error;
      }
      return stream.out;
    },
    close() {
      isClosed = true;
      unsubscribe();
      for (const stream of streams) end(stream);
    },
  };
}

/** Throws unless the viewer is an active user, the only kind that gets notifications. */
function requireActiveUser(viewer: Viewer): void {
  if (!isUser(viewer)) throw new AppError(viewer.kind === 'service' ? 'auth.forbidden' : 'auth.required');
  if (viewer.limited) throw new AppError('auth.not_proven');
  if (!isActive(viewer)) throw new AppError('auth.inactive');
}
