import type { listExtraTime as List, setExtraTime as SetTime } from '@officium/contract/extra-time';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { openAs, openToChange } from '#server/areas/authoring/piece-open.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import * as repository from './extra-time.repository.ts';

const courseOf = (key: string) => ({ kind: 'course', key }) as const;

/** Extra time may tell about a disability, so only those who run the course see it. */
export async function listExtraTime(ctx: Ctx, viewer: UserViewer, key: string): Promise<ReplyOf<typeof List>> {
  await openAs(ctx.db, viewer, courseOf(key), 'publish-content');
  return { people: await repository.findExtraTime(ctx.db, key) };
}

export async function setExtraTime(
  ctx: Ctx,
  actor: UserViewer,
  key: string,
  { person, percent }: InputOf<typeof SetTime>['body'],
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    await openToChange(db, actor, courseOf(key), 'publish-content');
    const userId = await repository.findLearner(db, { courseId: key, person });
    if (userId === undefined) throw notFound();
    await repository.updatePlaces(db, { courseId: key, userId, percent });
    await repository.updateDeadlines(db, { courseId: key, userId, percent });
    await recordAction(db, actor, { action: 'content.set-extra-time', object: userId, detail: { courseId: key } });
  });
}
