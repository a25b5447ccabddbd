import { defineJob } from '#server/jobs/define.ts';

/** Where it is noted that an account was erased: beside the database, so that a restored one can be told. */
export const erasureKey = (id: string) => `erased/${id}`;

/** Notes an erasure among the files, once it is committed: the id and the moment, nothing else of the person. */
export const noteErasureJob = defineJob<{ id: string }>('auth.note-erasure', {}, async ({ files, clock }, { id }) => {
  if (await files.exists(erasureKey(id))) return;
  await files.put(erasureKey(id), Buffer.from(clock.now().toISOString()), 'text/plain');
});
