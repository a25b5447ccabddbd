import type { Endpoint } from '@officium/contract/endpoint';
import { Uuid } from '@officium/contract/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { insertPreviewLearner } from '../access/preview-learner.ts';
import { isAdministrator, type UserViewer } from '../access/viewer.ts';
import type { Config } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { inTransaction } from '../db/client.ts';
import { AppError } from '../errors.ts';
import { HAS_SIDE_EFFECTS } from './reads.ts';
import { viewerOf } from './session.ts';

/**
 * `none`, or the id of the cohort that the learner belongs to. Over https only this host can set it: a sibling domain could
 * otherwise close the administration, because a preview refuses every change.
 */
const previewCookieName = ({ secure }: Config) => (secure ? '__Host-preview' : 'preview');
/** Tells the pages that an answer is a preview: the encoded name of the cohort, or nothing. */
const PREVIEW_HEADER = 'x-preview';

type Preview = { administrator: UserViewer; cohortId: string | null };

/** Undefined unless an administrator has asked to see the site as a learner. Ending the session is never previewed. */
export async function previewOf(ctx: Ctx, endpoint: Endpoint, request: FastifyRequest): Promise<Preview | undefined> {
  const wanted = request.cookies[previewCookieName(ctx.config)];
  if (wanted === undefined || request.headers.authorization !== undefined) return undefined;
  if (endpoint.auth === 'webhook' || endpoint.name === 'signOut') return undefined;
  const cohortId = Uuid.safeParse(wanted);
  if (wanted !== 'none' && !cohortId.success) return undefined;
  const viewer = await viewerOf(ctx, request);
  if (!isAdministrator(viewer) || viewer.permissions) return undefined;
  return { administrator: viewer, cohortId: cohortId.success ? cohortId.data : null };
}

class PreviewAnswer extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('a preview is rolled back');
    this.answer = answer;
  }
}

/**
 * Answers a read as the learner would get it. The learner exists only in a transaction that is always rolled back, so
 * nothing is recorded; whatever would write or outlive the transaction is refused.
 */
export async function answerPreview(
  ctx: Ctx,
  endpoint: Endpoint,
  { preview, reply }: { preview: Preview; reply: FastifyReply },
  answer: (ctx: Ctx, viewer: UserViewer) => Promise<unknown>,
): Promise<unknown> {
  const { method, download, name } = endpoint;
  if (method !== 'GET' || download !== undefined || HAS_SIDE_EFFECTS.has(name)) throw new AppError('preview.read_only');
  try {
    return await inTransaction(ctx.db, async (trx) => {
      const { viewer, cohort } = await insertPreviewLearner(trx, preview.administrator, preview.cohortId);
      reply.header(PREVIEW_HEADER, encodeURIComponent(cohort ?? ''));
      throw new PreviewAnswer(await answer({ ...ctx, db: trx, lastingDb: trx }, viewer));
    });
  } catch (error) {
    if (error instanceof PreviewAnswer) return error.answer;
    throw error;
  }
}
