import { pictureSize, squarePictures, textPicture } from './picture-decoder.ts';

/** What this process is told to do, and what it answers; `undefined` is a picture that cannot be read. */
export type PictureTask = { bytes: Buffer } & ({ wants: 'size' } | { edge: number } | { edges: readonly number[] });
export type PictureOutcome = { ready: true } | { done: unknown };

const WATCH_MS = 10;
const say = (outcome: PictureOutcome) => void process.send?.(outcome);

/** Bytes this process may take up in all, and for how long it may compute for one picture: a busy machine is not its fault. */
const [most = 0, longestMs = 0] = process.argv.slice(2).map(Number);
let begun: NodeJS.CpuUsage | undefined;
const spentMs = () => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
};
setInterval(() => {
  if (process.memoryUsage.rss() > most || (begun && spentMs() > longestMs)) process.kill(process.pid, 'SIGKILL');
}, WATCH_MS);

function perform(task: PictureTask): Promise<unknown> {
  if ('wants' in task) return pictureSize(task.bytes);
  return 'edge' in task ? textPicture(task.bytes, task.edge) : squarePictures(task.bytes, task.edges);
}

process.on('message', (task: PictureTask) => {
  begun = process.cpuUsage();
  perform(task).then(
    (done) => {
      begun = undefined;
      say({ done });
    },
    () => process.exit(1),
  );
});
process.on('disconnect', () => process.exit(0));
say({ ready: true });
