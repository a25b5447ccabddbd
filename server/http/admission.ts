import type { Endpoint } from '@officium/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordHourly } from '#server/audit/audit.ts';
import { sendLimitHeaders } from '#server/limits/limits.ts';
import type { Policy } from '../access/policies.ts';
import { isSameSecret } from '../access/secret.ts';
import { isUser, type Viewer } from '../access/viewer.ts';
import type { Ctx } from '../ctx.ts';
import { AppError } from '../errors.ts';
import { viewerOf } from './session.ts';

/** Requests a minute over all operations; services are not limited. A whole office may share one address. */
const PER_MINUTE = { user: 6_000, anonymous: 12_000 };

const isForOffice = ({ auth }: Endpoint) => auth === 'admin' || auth === 'service';

/** Tells administrators without a required second factor why administration is closed to them. */
function requireOwnFactor(viewer: Viewer): void {
  if (isUser(viewer) && viewer.lacksFactor) throw new AppError('auth.second_factor_missing');
}

/**
 * Checks whether the viewer may call the operation. A user's attempt on an administrators' operation is audited, once
 * an hour.
 */
async function checkPolicy(ctx: Ctx, endpoint: Endpoint, policy: Policy, viewer: Viewer): Promise<void> {
  try {
    if (isForOffice(endpoint)) requireOwnFactor(viewer);
    policy.check(viewer);
  } catch (error) {
    if (viewer.kind === 'user' && isForOffice(endpoint))
      await recordHourly(ctx.lastingDb, viewer, { action: 'access.refuse', object: endpoint.name });
    throw error;
  }
}

export function requireWebhookKey(ctx: Ctx, request: FastifyRequest): void {
  const given = request.headers['x-webhook-key'];
  let isKnown = false;
  for (const key of ctx.config.webhookKeys) if (typeof given === 'string' && isSameSecret(key, given)) isKnown = true;
  if (!isKnown) throw new AppError('auth.wrong_key');
}

/** The viewer of a request; throws unless they may call the operation. */
export async function admit(
  ctx: Ctx,
  { endpoint, policy }: { endpoint: Endpoint; policy: Policy },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer> {
  const asking = endpoint.auth === 'webhook' ? ({ kind: 'anonymous' } as const) : await viewerOf(ctx, request);
  const viewer: Viewer = { ...asking, requestId: request.id };
  if (ctx.allowances && viewer.kind !== 'service') {
    const state =
      viewer.kind === 'user'
        ? ctx.allowances.take(viewer.id, PER_MINUTE.user)
        : ctx.allowances.takeByAddress(request.ip, PER_MINUTE.anonymous);
    sendLimitHeaders(reply, state);
  }
  await checkPolicy(ctx, endpoint, policy, viewer);
  return viewer;
}
