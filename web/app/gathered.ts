import { Writable } from 'node:stream';

/** More than any page, so that a renderer never waits for the reader of what it has not finished writing. */
const AHEAD = 8 * 1024 * 1024;

/**
 * What React writes of a page, as the body of a response. It writes two kilobytes at a time; sent as such, each of them
 * would be compressed and handed to the network on its own, which costs more than the rendering. Here all that is written
 * in one go leaves in one piece. `onEnd` is called once all is written.
 */
export function gathered(onEnd: () => void): { page: Writable; body: ReadableStream<Uint8Array> } {
  let parts: Uint8Array[] = [];
  let toBody: ReadableStreamDefaultController<Uint8Array>;
  let sending: NodeJS.Immediate | undefined;
  const send = () => {
    clearImmediate(sending);
    sending = undefined;
    if (parts.length > 0) toBody.enqueue(Buffer.concat(parts));
    parts = [];
  };
  const page = new Writable({
    highWaterMark: AHEAD,
    write(part: Uint8Array, _encoding, done) {
      parts.push(part);
      sending ??= setImmediate(send);
      done();
    },
    final(done) {
      onEnd();
      send();
      toBody.close();
      done();
    },
    destroy(error, done) {
      clearImmediate(sending);
      if (error) toBody.error(error);
      done(null);
    },
  });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (toBody = controller),
    cancel: () => void page.destroy(),
  });
  return { page, body };
}
