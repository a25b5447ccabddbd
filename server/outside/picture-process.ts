import { drawnLogo, pictureSize, pngPicture, squarePictures, textPicture } from './picture-decoder.ts';

/** Messages to and from this process. A result of `undefined` means that the picture is unreadable. */
export type PictureTask = { bytes: Buffer } & (
  { wants: 'size' } | { pngEdge: number } | { edge: number; isLogo?: boolean } | { edges: readonly number[] }
);
export type PictureOutcome = { ready: true } | { done: unknown };

const WATCH_MS = 10;
const send = (outcome: PictureOutcome) => void process.send?.(outcome);

/**
 * Memory limit in bytes, and CPU time limit per picture. CPU time, unlike wall time, does not depend on machine load.
 */
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
  if ('pngEdge' in task) return pngPicture(task.bytes, task.pngEdge);
  if ('edges' in task) return squarePictures(task.bytes, task.edges);
  return task.isLogo ? logoOf(task.bytes, task.edge) : textPicture(task.bytes, task.edge);
}

async function logoOf(bytes: Buffer, edge: number): Promise<unknown> {
  return (await textPicture(bytes, edge)) ?? (await drawnLogo(bytes, edge));
}

process.on('message', (task: PictureTask) => {
  begun = process.cpuUsage();
  perform(task).then(
    (done) => {
      begun = undefined;
      send({ done });
    },
    () => process.exit(1),
  );
});
process.on('disconnect', () => process.exit(0));
send({ ready: true });
