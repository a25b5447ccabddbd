import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PictureSize, TextPicture } from './picture-decoder.ts';
import type { PictureOutcome, PictureTask } from './picture-process.ts';
import { takeTurns } from './turns.ts';

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

const PROGRAM = fileURLToPath(new URL('./picture-process.ts', import.meta.url));
const START_MS = 30_000;

export type PictureLimits = {
  /** All that the process may take up: a picture of 25 megapixels takes up to 250 MB while it is decoded. */
  memoryMb: number;
  /** How long the process may compute for one picture, its header included: the largest take some 0.7 s. */
  cpuMs: number;
  /** The same by the clock, for a process that does nothing, or a machine that is too busy. */
  timeoutMs: number;
  /** How long the process waits for another picture. */
  idleMs: number;
};
const LIMITS: PictureLimits = { memoryMb: 600, cpuMs: 2_000, timeoutMs: 10_000, idleMs: 60_000 };

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Reads pictures in a process of its own, one at a time, which knows none of the product's settings. What makes it take
 * too much memory or time, or crash, ends it and nothing else, and is no picture.
 */
export function openPictures(limits: PictureLimits = LIMITS) {
  const inTurn = takeTurns({ running: 1, waiting: 50 });
  let reader: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  /** The next thing the process says; undefined when it ends instead, or takes too long and is ended. */
  const hear = (child: ChildProcess, withinMs: number) =>
    new Promise<PictureOutcome | undefined>((resolve) => {
      const settle = (outcome?: PictureOutcome) => {
        clearTimeout(timer);
        child.off('message', settle).off('exit', onExit).off('error', onExit);
        resolve(outcome);
      };
      const onExit = () => settle();
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
      child.once('message', settle).once('exit', onExit).once('error', onExit);
      if (child.exitCode !== null || child.signalCode !== null) settle();
    });

  const start = async (): Promise<ChildProcess> => {
    const child = fork(PROGRAM, [String(limits.memoryMb * 1024 * 1024), String(limits.cpuMs)], {
      serialization: 'advanced',
      env: {},
      execArgv: ['--max-old-space-size=128', '--permission', '--allow-addons', '--allow-fs-read=*'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', () => {}); // whoever listens to it hears of it too
    child.once('exit', () => {
      if (reader === child) reader = undefined;
    });
    if (!(await hear(child, START_MS))) throw new Error('The process that reads pictures does not start');
    return child;
  };

  const ask = async (task: PictureTask): Promise<unknown> => {
    clearTimeout(idle);
    reader ??= await start();
    const child = reader;
    child.ref();
    child.channel?.ref();
    const heard = hear(child, limits.timeoutMs);
    child.send(task, (error) => {
      if (error) child.kill('SIGKILL');
    });
    const outcome = await heard;
    // The product may end while it waits.
    child.unref();
    child.channel?.unref();
    idle = setTimeout(() => {
      if (reader === child) reader = undefined;
      if (child.connected) child.disconnect();
    }, limits.idleMs);
    idle.unref();
    return outcome && 'done' in outcome ? outcome.done : undefined;
  };

  return {
    /** The size in pixels of a JPEG, PNG, WebP or GIF, as its header says; undefined when that cannot be read. */
    pictureSize: async (bytes: Uint8Array) =>
      (await inTurn(() => ask({ bytes: asBuffer(bytes), wants: 'size' }))) as PictureSize | undefined, // as picture-process.ts answers
    /** A whole picture as it is shown in a text: upright, no wider or higher than `edge`, sRGB, WebP, no metadata. */
    textPicture: async (bytes: Buffer, edge: number) =>
      (await inTurn(() => ask({ bytes, edge }))) as TextPicture | undefined, // as picture-process.ts answers
    /**
     * A picture as squares of these edges, around its middle: upright, sRGB, WebP, without metadata. Undefined when the
     * bytes are no JPEG, PNG, WebP or GIF that can be read whole, or more than 25 megapixels.
     */
    squarePictures: async (bytes: Buffer, edges: readonly number[]) =>
      (await inTurn(() => ask({ bytes, edges }))) as Buffer[] | undefined, // the same
  };
}

export const { pictureSize, textPicture, squarePictures } = openPictures();
