import { Transform, type TransformCallback } from 'node:stream';

/** Larger than any page, so that the renderer never waits for the consumer. */
const AHEAD = 8 * 1024 * 1024;

/**
 * Coalesces React's output. React writes 2 kB at a time; compressing and sending each piece on its own would cost more
 * than rendering. Everything written in one tick leaves as one chunk. Calls `onEnd` after the last.
 */
export function coalesceWrites(onEnd: () => void): Transform {
  let parts: Uint8Array[] = [];
  let sending: NodeJS.Immediate | undefined;
  const page = new Transform({
    highWaterMark: AHEAD,
    transform(part: Uint8Array, _encoding, done: TransformCallback) {
      parts.push(part);
      sending ??= setImmediate(send);
      done();
    },
    flush(done) {
      onEnd();
      send();
      done();
    },
    destroy(error, done) {
      clearImmediate(sending);
      done(error);
    },
  });
  function send() {
    clearImmediate(sending);
    sending = undefined;
    if (parts.length > 0) page.push(Buffer.concat(parts));
    parts = [];
  }
  return page;
}
