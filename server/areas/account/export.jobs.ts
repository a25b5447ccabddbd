import type { Locale } from '@officium/contract/common';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { EXPORT_DAYS, exportKey } from './export.policy.ts';
import { getPending, tryLock, updateReady } from './export.repository.ts';

/** Creates the file of an export and mails its owner. An export deleted meanwhile leaves no file. */
export const makeExportJob = defineJob<{ exportId: string }>(
  'account.make-export',
  {},
  async (ctx, { exportId: id }) => {
    const key = exportKey(id);
    // One snapshot of the database for the whole file.
    const made = await ctx.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        if (!(await tryLock(trx, id))) throw new Error('another worker is creating this export');
        const person = await getPending(trx, id);
        if (!person) return undefined;
        const locale = person.locale as Locale; // only locales are stored
        const about = { id: person.userId, email: person.email, name: person.name };
        const { writeArchive } = await import('#server/personal-data/archive.ts');
        return { ...person, locale, bytes: await writeArchive(ctx, trx, { key, about, locale }) };
      });
    if (!made) return;
    const isKept = await ctx.db.transaction().execute((trx) => announce(ctx, trx, { ...made, id }));
    if (!isKept) await ctx.files.delete(key);
  },
);

async function announce(
  ctx: Ctx,
  db: Db,
  made: { id: string; bytes: number; userId: string; email: string; locale: Locale },
): Promise<boolean> {
  if (!(await updateReady(db, made))) return false;
  const { userId, email: to, locale } = made;
  const values = { days: EXPORT_DAYS };
  await queueMail(ctx, db, { kind: 'data_export', to, userId, locale, values, link: linkTo(ctx, '/me/settings') });
  return true;
}
