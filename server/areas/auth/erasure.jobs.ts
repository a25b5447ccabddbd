import { defineJob } from '#server/jobs/define.ts';

/** File that records an erasure. It lives outside the database, so a restored backup can be corrected. */
export const erasureKey = (id: string) => `erased/${id}`;

/** Records a committed erasure in file storage: the id and the time, no other personal data. */
export const noteErasureJob = defineJob<{ id: string }>('auth.note-erasure', {}, async ({ files, clock }, { id }) => {
  if (await files.exists(erasureKey(id))) return;
  await files.put(erasureKey(id), Buffer.from(clock.now().toISOString()), 'text/plain');
});
