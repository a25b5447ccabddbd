/**
 * Requests a feed at a fixed rate, without waiting for responses, until stopped. Returns the latencies in ms, sorted.
 */
export function watchFeed(url: string, cookie: string, perSecond = 20): { stop(): Promise<number[]> } {
  const latencies: Promise<number>[] = [];
  const sendRequest = async () => {
    const startedAt = performance.now();
    const answer = await fetch(url, { headers: { cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`the feed responded ${answer.status}`);
    return performance.now() - startedAt;
  };
  const timer = setInterval(() => {
    const wait = sendRequest();
    wait.catch(() => {}); // thrown where the latencies are collected
    latencies.push(wait);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      return (await Promise.all(latencies)).sort((one, other) => one - other);
    },
  };
}

/** The percentile for `share`, from 0 to 1. */
export const percentile = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
