import { SETUP_STEPS, type SetupStep, type SiteSetup } from '@officium/contract/site-setup';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import * as repository from './setup.repository.ts';

export async function readSetup(db: Db): Promise<SiteSetup> {
  const { isBegun, hasDemo, steps, put_away_at: putAwayAt } = await repository.getSetup(db);
  return {
    steps: SETUP_STEPS.filter((step) => step !== 'demo' || hasDemo).map((step) => ({
      step,
      outcome: steps?.[step] ?? null,
    })),
    putAwayAt: putAwayAt?.toISOString() ?? null,
    isFirstVisit: !isBegun && !(await repository.hasPeople(db)),
  };
}

type Change = { object: string; detail?: Record<string, unknown>; write: (trx: Db) => Promise<boolean> };

async function change(ctx: Ctx, viewer: UserViewer, { object, detail, write }: Change): Promise<SiteSetup> {
  return await inTransaction(ctx.db, async (trx) => {
    const isChanged = await write(trx);
    if (isChanged)
      await recordAction(trx, viewer, { action: 'admin.update-setup', object, ...(detail ? { detail } : {}) });
    return await readSetup(trx);
  });
}

export async function updateStep(
  ctx: Ctx,
  viewer: UserViewer,
  { step, outcome }: { step: SetupStep; outcome: repository.SetupOutcome },
): Promise<SiteSetup> {
  return await change(ctx, viewer, {
    object: step,
    detail: { outcome },
    write: async (trx) => await repository.setStep(trx, step, outcome),
  });
}

/** Records in the transaction of a removal of the demo that its step is done. */
export async function noteDemoStep(trx: Db): Promise<void> {
  await repository.setStep(trx, 'demo', 'done');
}

export async function putAway(ctx: Ctx, viewer: UserViewer, isPutAway: boolean): Promise<SiteSetup> {
  return await change(ctx, viewer, {
    object: 'setup',
    detail: { isPutAway },
    write: async (trx) => await repository.setPutAway(trx, isPutAway),
  });
}
