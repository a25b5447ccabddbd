import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { removePicturesJob } from './picture.jobs.ts';
import { deleteUnusedPictures } from './picture.repository.ts';

/** Deletes pictures the user no longer shows; a job removes the files. `db` is the transaction of the change. */
export async function dropUnusedPictures(ctx: Ctx, db: Db, userId: string): Promise<void> {
  const ids = await deleteUnusedPictures(db, userId);
  if (ids.length > 0) await ctx.jobs.enqueue(db, removePicturesJob, { ids });
}
