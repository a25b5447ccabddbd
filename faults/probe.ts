import { parentPort, workerData } from 'node:worker_threads';

// Asks for an address every tenth of a second in a thread of its own, which the load of the drill does not hold up, and
// says how long each took in ms; Infinity for one that was not answered with 200.

const { url } = workerData as { url: string }; // as watchHealth gives it

setInterval(() => {
  void (async () => {
    const begun = performance.now();
    const isWell = await fetch(url).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status === 200;
      },
      () => false,
    );
    parentPort?.postMessage(isWell ? performance.now() - begun : Infinity);
  })();
}, 100);
