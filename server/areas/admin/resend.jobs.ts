import { setTimeout } from 'node:timers/promises';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import * as repository from './resend.repository.ts';
import { sendAgain } from './resending.service.ts';

const ROWS_AT_ONCE = 100;
const PACE_MS = 85;

/** Processes the next invitations of a task. True when it is finished. */
async function sendSome(ctx: Ctx, resendId: string): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockResending(trx);
    const task = await repository.lockResend(trx, resendId);
    if (!task) return true;
    const invitations = await repository.lockInvitationsAfter(trx, task, ROWS_AT_ONCE);
    const last = invitations.at(-1);
    if (!last) {
      await repository.finishResend(trx, resendId);
      return true;
    }
    const sent = await sendAgain(ctx, trx, task, invitations);
    await repository.updateResend(trx, resendId, { done: invitations.length, sent, lastId: last.id });
    return false;
  });
}

/** Resumes after a killed worker. Does nothing when the task is finished. */
export const resendInvitationsJob = defineJob<{ resendId: string }>(
  'admin.resend-invitations',
  { retryLimit: 40, retryDelayMaxSeconds: 60, inTurn: true },
  async (ctx, { resendId }) => {
    while (!(await sendSome(ctx, resendId))) await setTimeout(PACE_MS);
  },
);
