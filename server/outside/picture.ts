import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PictureSize, TextPicture } from './picture-decoder.ts';
import type { PictureOutcome, PictureTask } from './picture-process.ts';
import { takeTurns } from './turns.ts';

export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

const PROGRAM = fileURLToPath(new URL('./picture-process.ts', import.meta.url));
const START_MS = 30_000;

export type PictureLimits = {
  /** Memory limit of the process. Decoding 25 megapixels takes up to 250 MB. */
  memoryMb: number;
  /** CPU time limit per picture. The largest pictures take about 0.7 s. */
  cpuMs: number;
  /** Wall time limit per picture, for a hung process or an overloaded machine. */
  timeoutMs: number;
  /** Time after which an idle process exits. */
  idleMs: number;
};
const LIMITS: PictureLimits = { memoryMb: 600, cpuMs: 2_000, timeoutMs: 10_000, idleMs: 60_000 };

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Decodes pictures one at a time in a separate process without access to the configuration. A picture that makes it
 * crash or exceed a limit ends only that process and counts as unreadable.
 */
export function openPictures(limits: PictureLimits = LIMITS) {
  const inTurn = takeTurns({ running: 1, waiting: 50 });
  let reader: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  /** Waits for the next message; undefined when the process exits, or is killed after the time limit. */
  const nextMessage = (child: ChildProcess, withinMs: number) =>
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
    child.on('error', () => {}); // nextMessage listens as well
    child.once('exit', () => {
      if (reader === child) reader = undefined;
    });
    if (!(await nextMessage(child, START_MS))) throw new Error('The picture process does not start');
    return child;
  };

  const ask = async (task: PictureTask): Promise<unknown> => {
    clearTimeout(idle);
    reader ??= await start();
    const child = reader;
    child.ref();
    child.channel?.ref();
    const answer = nextMessage(child, limits.timeoutMs);
    child.send(task, (error) => {
      if (error) child.kill('SIGKILL');
    });
    const outcome = await answer;
    // Do not keep the main process alive for an idle child.
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
    /** Reads the size in pixels from the header of a JPEG, PNG, WebP or GIF; undefined when unreadable. */
    pictureSize: async (bytes: Uint8Array) =>
      (await inTurn(() => ask({ bytes: asBuffer(bytes), wants: 'size' }))) as PictureSize | undefined, // the type picture-process.ts sends
    /** Converts a picture for use in a text: upright, within `edge` × `edge` pixels, sRGB, WebP, without metadata. */
    textPicture: async (bytes: Buffer, edge: number) =>
      (await inTurn(() => ask({ bytes, edge }))) as TextPicture | undefined, // the type picture-process.ts sends
    /** Converts a picture for a PDF: upright, within `edge` × `edge` pixels, sRGB, PNG, without metadata. */
    pngPicture: async (bytes: Buffer, edge: number) =>
      (await inTurn(() => ask({ bytes, pngEdge: edge }))) as TextPicture | undefined, // the type picture-process.ts sends
    /** Like `textPicture`, and draws an SVG that is harmless as a whole, with its longer edge at `edge` pixels. */
    logoPicture: async (bytes: Buffer, edge: number) =>
      (await inTurn(() => ask({ bytes, edge, isLogo: true }))) as TextPicture | undefined, // the type picture-process.ts sends
    /**
     * Crops a picture to centred squares of these edge lengths: upright, sRGB, WebP, without metadata. Undefined unless
     * the bytes are an intact JPEG, PNG, WebP or GIF of at most 25 megapixels.
     */
    squarePictures: async (bytes: Buffer, edges: readonly number[]) =>
      (await inTurn(() => ask({ bytes, edges }))) as Buffer[] | undefined, // the type picture-process.ts sends
  };
}

export const { pictureSize, textPicture, pngPicture, logoPicture, squarePictures } = openPictures();
