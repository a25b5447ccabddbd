import { clearLine, cursorTo } from 'node:readline';
import type { WriteStream } from 'node:tty';

const WIDTH = 24;
const PLAIN_EVERY_MS = 10_000;

type Out = Pick<WriteStream, 'write'> & { isTTY?: boolean };

/**
 * Shows how far a long command is, on standard error: a bar on a terminal, else a line every ten seconds. `end` removes
 * the bar.
 */
export function showProgress(out: Out = process.stderr, now: () => number = Date.now) {
  let shown = '';
  let lastAt = now();
  return {
    tell(done: number, total: number, subject: string): void {
      const share = total === 0 ? 1 : Math.min(done / total, 1);
      const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
      if (!out.isTTY) {
        if (now() - lastAt < PLAIN_EVERY_MS) return;
        lastAt = now();
        return void out.write(`${percent.trim()}: ${subject}\n`);
      }
      const full = Math.round(share * WIDTH);
      const line = `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${percent} ${subject}`;
      if (line === shown) return;
      shown = line;
      clearLine(out as WriteStream, 0); // a terminal is one
      cursorTo(out as WriteStream, 0);
      out.write(line);
    },
    end(): void {
      if (!out.isTTY || shown === '') return;
      clearLine(out as WriteStream, 0);
      cursorTo(out as WriteStream, 0);
      shown = '';
    },
  };
}

/** Runs the work with a bar, which is gone when it returns or throws. */
export async function withProgress<T>(
  work: (tell: (done: number, total: number, subject: string) => void) => Promise<T>,
): Promise<T> {
  const progress = showProgress();
  try {
    return await work(progress.tell);
  } finally {
    progress.end();
  }
}
