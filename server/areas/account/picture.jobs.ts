import { defineJob } from '#server/jobs/define.ts';
import { fileKey, PICTURE_EDGES } from './picture.policy.ts';

/** Deletes the files of pictures nobody shows any more, after the transaction that took them away. */
export const removePicturesJob = defineJob<{ ids: string[] }>('account.remove-pictures', {}, async (ctx, { ids }) => {
  for (const id of ids) for (const edge of PICTURE_EDGES) await ctx.files.delete(fileKey(id, edge));
});
