import { Readable } from 'node:stream';
import { isActive, isUser, type Viewer } from '#server/access/viewer.ts';
import { openContent } from '#server/areas/community/members/access.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { addressAllowances } from '#server/limits/limits.ts';
import { countUnread } from './inbox.service.ts';
import { countPostsSince, getNewestPost } from './stream.repository.ts';

export type StreamRequest = {
  /** Asks again who this is; a session that ended is nobody's. */
  who: () => Promise<Viewer>;
  /** Visitors without a session are counted by its subnet and its site. */
  address: string;
  community: string | undefined;
  since: string | undefined;
};
type Stream = StreamRequest & {
  out: Readable;
  userId: string | undefined;
  communityId: string | undefined;
  unread: number | undefined;
  posts: number;
  checkedAt: number;
  beatAt: number;
  /** Heartbeats that found what was sent before still unread. */
  missed: number;
};

const MOST_A_PERSON = 6;
const MOST_AN_ADDRESS = 30;
/** Heartbeats a client may leave unread. */
const MOST_MISSED = 3;
const MOST_WAITING_BYTES = 16_384;
/** Streams brought up to date at the same moment, so that requests find a connection too. */
const AT_ONCE = 4;
const RETRY_MS = 3_000;

export type Streams = { open(request: StreamRequest): Promise<Readable>; close(): void };

/** The open streams of this node. Each is looked after again when something is announced, and every `recheckMs` anyway. */
export function createStreams(ctx: Ctx, { heartbeatMs = 20_000, recheckMs = 30_000, tickMs = 1_000 } = {}): Streams {
  const streams = new Set<Stream>();
  const perCaller = new Map<string, number>();
  const waiting = new Set<Stream>();
  let working = 0;
  let isClosed = false;

  const allowancesOf = ({ userId, address }: Pick<Stream, 'userId' | 'address'>) =>
    userId === undefined ? addressAllowances(address, MOST_AN_ADDRESS) : [{ key: userId, max: MOST_A_PERSON }];

  const remove = (stream: Stream) => {
    if (!streams.delete(stream)) return;
    waiting.delete(stream);
    for (const { key } of allowancesOf(stream)) {
      const left = (perCaller.get(key) ?? 1) - 1;
      if (left > 0) perCaller.set(key, left);
      else perCaller.delete(key);
    }
    if (streams.size === 0) clearInterval(timer);
  };
  const end = (stream: Stream) => {
    remove(stream);
    // Whoever does not read what is there would not read the end.
    if (stream.out.readableLength > 0) stream.out.destroy();
    else stream.out.push(null);
  };
  const send = (stream: Stream, text: string) => {
    if (!streams.has(stream)) return;
    stream.out.push(text);
    if (stream.out.readableLength > MOST_WAITING_BYTES) stream.out.destroy();
  };
  const sendEvent = (stream: Stream, event: string, data: object) => {
    const id = stream.since === undefined ? '' : `id: ${stream.since}\n`;
    send(stream, `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`);
  };

  /** Reads again what this stream tells of. Throws an AppError when the reader may not have it any more. */
  const refresh = async (stream: Stream) => {
    const viewer = await stream.who();
    if (stream.userId !== undefined) requireReader(viewer);
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
  };

  const work = async () => {
    working += 1;
    for (const stream of waiting) {
      waiting.delete(stream);
      stream.checkedAt = performance.now();
      try {
        await refresh(stream);
      } catch (error) {
        if (error instanceof AppError) end(stream);
        else ctx.log.warn({ err: error }, 'stream update failed');
      }
    }
    working -= 1;
  };
  const lookAfter = (stream: Stream) => {
    waiting.add(stream);
    if (working < AT_ONCE) void work();
  };

  const beat = (stream: Stream) => {
    stream.beatAt = performance.now();
    stream.missed = stream.out.readableLength > 0 ? stream.missed + 1 : 0;
    if (stream.missed > MOST_MISSED) stream.out.destroy();
    else send(stream, ':\n\n');
  };
  const tick = () => {
    const now = performance.now();
    for (const stream of streams) {
      if (now - stream.beatAt >= heartbeatMs) beat(stream);
      if (now - stream.checkedAt >= recheckMs) lookAfter(stream);
    }
  };
  let timer: NodeJS.Timeout | undefined;

  const unsubscribe = ctx.news.subscribe(({ people, communities }) => {
    const touched = new Set([...people, ...communities]);
    for (const stream of streams)
      if (touched.has(stream.userId ?? '') || touched.has(stream.communityId ?? '')) lookAfter(stream);
  });

  return {
    async open(request) {
      const viewer = await request.who();
      if (isUser(viewer) || request.community === undefined) requireReader(viewer);
      const userId = isUser(viewer) ? viewer.id : undefined;
      const now = performance.now();
      const out = new Readable({ read() {} });
      const stream: Stream = {
        ...request,
        out,
        userId,
        communityId: undefined,
        unread: undefined,
        posts: 0,
        checkedAt: now,
        beatAt: now,
        missed: 0,
      };
      if (isClosed) throw new AppError('server.unavailable');
      const allowances = allowancesOf(stream);
      if (allowances.some(({ key, max }) => (perCaller.get(key) ?? 0) >= max))
        throw new AppError('request.too_many', { retryAfterSeconds: 60 });
      for (const { key } of allowances) perCaller.set(key, (perCaller.get(key) ?? 0) + 1);
      if (streams.size === 0) {
        timer = setInterval(tick, tickMs);
        timer.unref();
      }
      streams.add(stream);
      out.on('close', () => remove(stream));
      try {
        send(stream, `retry: ${RETRY_MS}\n\n`);
        await refresh(stream);
      } catch (error) {
        remove(stream);
        throw error;
      }
      return out;
    },
    close() {
      isClosed = true;
      unsubscribe();
      for (const stream of streams) end(stream);
    },
  };
}

/** Only people with an account in use are told of what is theirs. */
function requireReader(viewer: Viewer): void {
  if (!isUser(viewer)) throw new AppError(viewer.kind === 'service' ? 'auth.forbidden' : 'auth.required');
  if (viewer.limited) throw new AppError('auth.not_proven');
  if (!isActive(viewer)) throw new AppError('auth.inactive');
}
