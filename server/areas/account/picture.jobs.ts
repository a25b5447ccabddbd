import { defineJob } from '#server/jobs/define.ts';
import { fileKey, PICTURE_EDGES } from './picture.policy.ts';
import { findPictures } from './picture.repository.ts';

/** Deletes the files of pictures without a row: replaced ones, and those of interrupted uploads. */
export const removePicturesJob = defineJob<{ ids: string[] }>('account.remove-pictures', {}, async (ctx, { ids }) => {
  const kept = await findPictures(ctx.db, ids);
  for (const id of ids.filter((one) => !kept.has(one)))
    for (const edge of PICTURE_EDGES) await ctx.files.delete(fileKey(id, edge));
});
