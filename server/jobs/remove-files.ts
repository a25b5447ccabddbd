import { defineJob } from './define.ts';

/** Deletes files after the commit that removed their rows. */
export const removeFilesJob = defineJob<{ keys: string[] }>('platform.remove-files', {}, async (ctx, { keys }) => {
  for (const key of keys) await ctx.files.delete(key);
});
