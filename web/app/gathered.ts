import { Transform, type TransformCallback } from 'node:stream';

/** More than any page, so that a renderer never waits for the reader of what it has not finished writing. */
const AHEAD = 8 * 1024 * 1024;

/**
 * Takes what React writes of a page. It writes two kilobytes at a time; sent as such, each of them would be compressed
 * and handed to the network on its own, which costs more than the rendering. Here all that is written in one go leaves in
 * one piece. `onEnd` is called once all is written.
 */
export function gathered(onEnd: () => void): Transform {
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
