import type { Socket } from 'node:net';
import pg from 'pg';

/**
 * Longer than the statement timeout: a database that has not answered by then is unreachable. Together with the wait
 * for a connection, requests fail within ten seconds.
 */
export const SILENCE_MS = 5_750;
/** The same for statements with a limit of their own, or none. */
const LONG_SILENCE_MS = 3_600_000;

const SETS_LIMIT = /^set (local )?statement_timeout\b/;

/**
 * A connection that is closed when the database is silent for too long while a reply is awaited; a network that drops
 * packets closes nothing. After `set statement_timeout` the longer limit holds until the connection is released.
 */
export class WatchedClient extends pg.Client {
  #isAwaiting = false;

  override query(...given: unknown[]): never {
    const [text] = given;
    if (typeof text === 'string' && SETS_LIMIT.test(text)) this.#stream().setTimeout(LONG_SILENCE_MS);
    this.#isAwaiting = true;
    // pg.Client declares one overload per calling convention; this passes on any of them.
    return (super.query as (...args: unknown[]) => never).apply(this, given);
  }

  /** Starts watching a connected client; `setSilenceTimeout` sets the limit. */
  watch(): void {
    const stream = this.#stream();
    this.on('drain', () => void (this.#isAwaiting = false));
    stream.on('timeout', () => {
      // The timer may have started during an idle time; a query gets the full time.
      if (!this.#isAwaiting) return;
      const read = stream.bytesRead;
      // A blocked process may find the reply waiting.
      setImmediate(() => {
        if (this.#isAwaiting && stream.bytesRead === read) stream.destroy();
      });
    });
  }

  /** Sends everything that is written until the next turn of the event loop at once. */
  gather(): void {
    const stream = this.#stream();
    stream.cork();
    setImmediate(() => stream.uncork());
  }

  /** Whether statements are sent without waiting for the answers to earlier ones. Set it only between statements. */
  set isPipelined(value: boolean) {
    (this as unknown as { pipeline: boolean }).pipeline = value; // an option of pg's constructor
  }

  setSilenceTimeout(silenceMs: number): void {
    this.#stream().setTimeout(silenceMs);
  }

  // A TLS upgrade replaces the stream.
  #stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }
}
