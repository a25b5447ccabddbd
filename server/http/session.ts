import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameSecret } from '../access/secret.ts';
import { ANONYMOUS, type UserViewer, type Viewer } from '../access/viewer.ts';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { AppError } from '../errors.ts';
import { isCrossSite } from './csrf.ts';

export function sessionCookieName(config: Config): string {
  return config.secure ? '__Host-session' : 'session';
}

/** Marks a browser that has signed in before; grants no access. */
export function deviceCookieName(config: Config): string {
  return config.secure ? '__Host-device' : 'device';
}

/** The service of a bearer key. Compares with every key, so that the time does not depend on the match. */
export function serviceOf(keys: ReadonlyMap<string, string>, key: string): string | undefined {
  let found: string | undefined;
  for (const [name, expected] of keys) if (isSameSecret(expected, key)) found = name;
  return found;
}

/** The viewer of a request: a service by its key, else the user of the session cookie, else anonymous. */
export async function viewerOf(
  ctx: Ctx,
  request: FastifyRequest,
  /** false: a re-check during a long request, which is no user activity. */
  { isAsked = true } = {},
): Promise<Viewer> {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const [, key] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    const name = key === undefined ? undefined : serviceOf(ctx.config.serviceKeys, key);
    if (name === undefined) throw new AppError('auth.wrong_key');
    return { kind: 'service', name };
  }
  const token = request.cookies[sessionCookieName(ctx.config)];
  if (isCrossSite(request, ctx.config.publicUrl, token !== undefined)) throw new AppError('auth.cross_site');
  if (token === undefined || token.length > 200) return ANONYMOUS;
  const viewer = await ctx.sessions.find(token, { isAsked });
  if (!viewer) return ANONYMOUS;
  return lacksFactor(ctx.config, viewer) ? { ...viewer, lacksFactor: true } : viewer;
}

/** With ADMIN_SECOND_FACTOR=required, administrators and holders of roles have no such power without a second factor. */
function lacksFactor({ adminSecondFactor }: Config, { role, roles, hasSecondFactor }: UserViewer): boolean {
  return adminSecondFactor === 'required' && (role === 'administrator' || roles !== undefined) && !hasSecondFactor;
}

/** Host-only and hidden from scripts. */
const cookieOptions = ({ secure }: Config) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const;

export function setSessionCookie(
  reply: FastifyReply,
  config: Config,
  token: string,
  maxAgeSeconds = 30 * 24 * 3600,
): void {
  reply.setCookie(sessionCookieName(config), token, { ...cookieOptions(config), maxAge: maxAgeSeconds });
}

export function clearSessionCookie(reply: FastifyReply, config: Config): void {
  reply.clearCookie(sessionCookieName(config), cookieOptions(config));
}

const DEVICE_SECONDS = 180 * 24 * 3600;

export function setDeviceCookie(reply: FastifyReply, config: Config, token: string): void {
  reply.setCookie(deviceCookieName(config), token, { ...cookieOptions(config), maxAge: DEVICE_SECONDS });
}
