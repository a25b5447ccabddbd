import { parentPort, workerData } from 'node:worker_threads';

// Polls a URL ten times a second in its own thread, so that the load of the drill does not delay it, and posts the
// latencies in ms; Infinity for anything but 200.

const { url } = workerData as { url: string }; // as passed by watchHealth

setInterval(() => {
  void (async () => {
    const startedAt = performance.now();
    const isWell = await fetch(url).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status === 200;
      },
      () => false,
    );
    parentPort?.postMessage(isWell ? performance.now() - startedAt : Infinity);
  })();
}, 100);
