import type { SiteNotice } from '@officium/contract/site-notices';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { announce } from '#server/db/announce.ts';
import { type Db, inTransaction, newId } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import * as repository from './notice.repository.ts';
import { toNotice, valuesOf } from './notice.view.ts';
import { changedNames } from './changed.policy.ts';

const MAX_LISTED = 200;

export async function listNotices({ db }: Ctx): Promise<SiteNotice[]> {
  return (await repository.findNotices(db, MAX_LISTED)).map(toNotice);
}

/** Writes in one transaction; this process shows the change with its reply, others hear of it. */
async function write<T>(ctx: Ctx, work: (trx: Db) => Promise<T>): Promise<T> {
  const done = await inTransaction(ctx.db, async (trx) => {
    const result = await work(trx);
    await announce(trx, 'officium_site', '');
    return result;
  });
  await ctx.site.refresh();
  return done;
}

/** The wording of the audit log, in which `level` already means the level of a member. */
function worded({ level, ...rest }: Partial<repository.NoticeValues>): Record<string, unknown> {
  return level === undefined ? rest : { kind: level, ...rest };
}

async function readNotice(db: Db, id: string): Promise<SiteNotice> {
  const row = await repository.getNotice(db, id);
  if (!row) throw notFound();
  return toNotice(row);
}

export async function createNotice(ctx: Ctx, viewer: UserViewer, values: repository.NoticeValues): Promise<SiteNotice> {
  return await write(ctx, async (trx) => {
    const id = newId();
    await repository.insertNotice(trx, id, values);
    await recordAction(trx, viewer, { action: 'admin.create-notice', object: id, detail: worded(values) });
    return await readNotice(trx, id);
  });
}

export async function updateNotice(
  ctx: Ctx,
  viewer: UserViewer,
  { id, version, ...values }: repository.NoticeValues & { id: string; version: number },
): Promise<SiteNotice> {
  return await write(ctx, async (trx) => {
    const row = await repository.lockNotice(trx, id);
    if (!row) throw notFound();
    if (row.version !== version) throw new AppError('site.changed_meanwhile');
    const before = valuesOf(row);
    const fields = changedNames(before, values);
    if (fields.length === 0) return toNotice(row);
    await repository.updateNotice(trx, id, values);
    const only = (of: repository.NoticeValues) =>
      worded(Object.fromEntries(Object.entries(of).filter(([name]) => fields.includes(name))));
    const detail = { ...only(values), before: only(before) };
    await recordAction(trx, viewer, { action: 'admin.update-notice', object: id, detail });
    return await readNotice(trx, id);
  });
}

export async function deleteNotice(ctx: Ctx, viewer: UserViewer, id: string): Promise<void> {
  await write(ctx, async (trx) => {
    const row = await repository.lockNotice(trx, id);
    if (!row) throw notFound();
    await repository.deleteNotice(trx, id);
    await recordAction(trx, viewer, {
      action: 'admin.delete-notice',
      object: id,
      detail: { before: worded(valuesOf(row)) },
    });
  });
}
