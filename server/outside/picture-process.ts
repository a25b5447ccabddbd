import { squarePictures, textPicture } from './picture-decoder.ts';

/** What this process is told to do, and what it answers; `undefined` is a picture that cannot be read. */
export type PictureTask = { bytes: Buffer } & ({ edge: number } | { edges: readonly number[] });
export type PictureOutcome = { ready: true } | { done: unknown };

const WATCH_MS = 10;
const say = (outcome: PictureOutcome) => void process.send?.(outcome);

/** Bytes this process may take up in all. */
const most = Number(process.argv[2]);
setInterval(() => {
  if (process.memoryUsage.rss() > most) process.kill(process.pid, 'SIGKILL');
}, WATCH_MS);

process.on('message', (task: PictureTask) => {
  const work = 'edge' in task ? textPicture(task.bytes, task.edge) : squarePictures(task.bytes, task.edges);
  work.then(
    (done) => say({ done }),
    () => process.exit(1),
  );
});
process.on('disconnect', () => process.exit(0));
say({ ready: true });
