import type { Endpoint } from '@officium/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAdministrator, type Viewer } from '../access/viewer.ts';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import type { Position } from '../db/replica.ts';
import { AppError } from '../errors.ts';

/** Operations that do more for a GET than read: what they ask of others costs, is counted and kept. */
export const DOING: ReadonlySet<string> = new Set([
  'readLinkPreview',
  'readArticleTranslation',
  'readPayloadTranslation',
  'readJobAnalysis',
]);

/**
 * Which operations the replica may answer. Not those of sessions and credentials, where an old state is a wrong one and
 * some use a secret up; nor files and streams, which go on after their handler and cannot be begun again.
 */
export function isForReplica({ method, service, download, name }: Endpoint): boolean {
  return method === 'GET' && service !== 'auth' && download === undefined && !DOING.has(name);
}

export function markCookieName(config: Config): string {
  return config.secure ? '__Host-written' : 'written';
}

/**
 * Up to where a caller has written, by their cookie; undefined: to be answered by the primary. That is whoever could have
 * written without our knowing, as who keeps no cookies, and administrators, whose reading is noted.
 */
function markOf(config: Config, viewer: Viewer, request: FastifyRequest): Position | undefined {
  if (viewer.kind === 'service' || isAdministrator(viewer)) return undefined;
  const mark = request.cookies[markCookieName(config)];
  if (mark === undefined) return viewer.kind === 'anonymous' ? 0 : undefined;
  return /^\d{1,15}$/.test(mark) ? Number(mark) : undefined;
}

/** SQLSTATE of what took too long; the primary would take as long. */
const TIMED_OUT = '57014';

function isForPrimary(error: unknown): boolean {
  // A refusal is worth asking about: what was just made or allowed may not be there yet. Counting twice is not.
  if (error instanceof AppError) return error.status !== 429;
  return (error as { code?: unknown }).code !== TIMED_OUT; // PostgreSQL's errors have one
}

/**
 * Answers an operation from the replica where that has all its caller wrote, else from the primary. What the replica
 * refuses or cannot do, the primary is asked: nobody is told no by an old state.
 */
export async function answerRead<T>(
  ctx: Ctx,
  endpoint: Endpoint,
  { viewer, request }: { viewer: Viewer; request: FastifyRequest },
  answer: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const { replica } = ctx;
  if (!replica || !isForReplica(endpoint)) return await answer(ctx);
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
 * Gives whoever may have written the mark they are read by from now on, on any node. One query for all that end at the
 * same time; when it fails the mark is taken back, which leads a session to the primary.
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
