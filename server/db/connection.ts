import type { Socket } from 'node:net';
import pg from 'pg';

/**
 * Longer than a statement may take: whoever has not answered by then cannot be reached any more. With the wait for a
 * connection before it, people are told so within ten seconds.
 */
export const SILENCE_MS = 5_750;
/** The same where a statement has a limit of its own, or none. */
const LONG_SILENCE_MS = 3_600_000;

const SETS_LIMIT = /^set (local )?statement_timeout\b/;

/**
 * A connection that is cut when an answer is awaited and the database says nothing for so long: a network that loses
 * packets closes nothing. Whoever sets a limit for statements is given time until the connection is given back.
 */
export class AttentiveClient extends pg.Client {
  #isAwaiting = false;

  override query(...given: unknown[]): never {
    const [text] = given;
    if (typeof text === 'string' && SETS_LIMIT.test(text)) this.#stream().setTimeout(LONG_SILENCE_MS);
    this.#isAwaiting = true;
    // pg.Client declares one method for each way of calling it; this passes on whichever it was.
    return (super.query as (...args: unknown[]) => never).apply(this, given);
  }

  /** Cuts it after a silence, once `bear` has said how long that is. It is connected. */
  watch(): void {
    const stream = this.#stream();
    this.on('drain', () => void (this.#isAwaiting = false));
    stream.on('timeout', () => {
      // What is asked after an idle time, even at once, has all its own time.
      if (!this.#isAwaiting) return;
      const read = stream.bytesRead;
      // A process that was held up may find the answer waiting.
      setImmediate(() => {
        if (this.#isAwaiting && stream.bytesRead === read) stream.destroy();
      });
    });
  }

  bear(silenceMs: number): void {
    this.#stream().setTimeout(silenceMs);
  }

  // With TLS it is not the one it began with.
  #stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }
}
