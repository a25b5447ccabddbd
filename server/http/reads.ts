import type { Endpoint } from '@officium/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAdministrator, type Viewer } from '../access/viewer.ts';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { PAGE_HEADER } from '../db/page-reads.ts';
import type { Position } from '../db/log-position.ts';
import { AppError } from '../errors.ts';

/** GET operations with side effects: their outside calls cost money, are counted and cached. */
export const HAS_SIDE_EFFECTS: ReadonlySet<string> = new Set([
  'readLinkPreview',
  'readArticleTranslation',
  'readPayloadTranslation',
  'readJobAnalysis',
]);

/**
 * Whether the replica may answer an operation. Excluded are sessions and credentials, where an old state is wrong and
 * some GETs consume a secret, and files and streams, which continue after their handler and cannot be restarted.
 */
export function isForReplica({ method, service, download, name }: Endpoint): boolean {
  return method === 'GET' && service !== 'auth' && download === undefined && !HAS_SIDE_EFFECTS.has(name);
}

export function markCookieName(config: Config): string {
  return config.secure ? '__Host-written' : 'written';
}

/**
 * The position up to which a caller has written, from their cookie; undefined: read from the primary. That covers
 * callers who may have written unnoticed, such as clients without cookies, and administrators, whose reading is
 * audited.
 */
function markOf(config: Config, viewer: Viewer, request: FastifyRequest): Position | undefined {
  if (viewer.kind === 'service' || isAdministrator(viewer)) return undefined;
  const mark = request.cookies[markCookieName(config)];
  if (mark === undefined) return viewer.kind === 'anonymous' ? 0 : undefined;
  return /^\d{1,15}$/.test(mark) ? Number(mark) : undefined;
}

/** SQLSTATE of a statement timeout; the primary would take as long. */
const TIMED_OUT = '57014';

function isForPrimary(error: unknown): boolean {
  // The primary may have a new object or right that the replica lacks. A 429 was counted and must not count twice.
  if (error instanceof AppError) return error.status !== 429;
  return (error as { code?: unknown }).code !== TIMED_OUT; // PostgreSQL errors have a code
}

/** A walk through a feed by cursor, which stores a snapshot of the feed. */
function isWalk({ query }: FastifyRequest): boolean {
  return typeof query === 'object' && query !== null && 'cursor' in query;
}

/**
 * Answers an operation from the replica if it has all the caller's writes, else from the primary. Refusals and failures
 * of the replica are retried on the primary, so that no old state refuses anybody.
 */
export async function answerRead<T>(
  ctx: Ctx,
  endpoint: Endpoint,
  { viewer, request }: { viewer: Viewer; request: FastifyRequest },
  handle: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const { replica } = ctx;
  if (!isForReplica(endpoint) || isWalk(request)) return await handle(ctx);
  const answer = async (on: Ctx) =>
    await handle({ ...on, db: ctx.pageReads.find(request.headers[PAGE_HEADER], on.pool) ?? on.db });
  if (!replica) return await answer(ctx);
  const mark = markOf(ctx.config, viewer, request);
  if (mark === undefined || !replica.mayAnswer(mark)) return await answer(ctx);
  try {
    return await answer({ ...ctx, ...replica.reader });
  } catch (error) {
    if (!isForPrimary(error)) throw error;
    replica.noteFailure(error);
    return await answer(ctx);
  }
}

const MARK_SECONDS = 30 * 24 * 3600;

/** Whether an operation may write what its caller reads next. */
export function mayWrite({ method, name }: Endpoint): boolean {
  return method !== 'GET' || name === 'exchangeToken';
}

/**
 * Sets the position cookie of a caller who may have written. Requests that end at the same time share one query; when
 * it fails, the cookie is removed, which sends the session to the primary.
 */
export async function leaveMark(
  { replica, config, log }: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!replica || request.headers.authorization !== undefined) return;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: config.secure } as const;
  try {
    const mark = await replica.position();
    reply.setCookie(markCookieName(config), String(mark), { ...options, maxAge: MARK_SECONDS });
  } catch (error) {
    log.warn({ err: error }, 'session position unreadable: reads go to the primary until the next write');
    reply.clearCookie(markCookieName(config), options);
  }
}
