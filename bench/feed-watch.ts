/** Asks for a feed at a steady pace, whether or not the answers come, until stopped. Answers the waits in ms, sorted. */
export function watchFeed(url: string, cookie: string, perSecond = 20): { stop(): Promise<number[]> } {
  const waits: Promise<number>[] = [];
  const ask = async () => {
    const begun = performance.now();
    const answer = await fetch(url, { headers: { cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`the feed answered ${answer.status}`);
    return performance.now() - begun;
  };
  const timer = setInterval(() => {
    const wait = ask();
    wait.catch(() => {}); // thrown where the waits are counted
    waits.push(wait);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      return (await Promise.all(waits)).sort((one, other) => one - other);
    },
  };
}

/** The wait that a share of all is not above. */
export const at = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
export const pause = (ms: number) => new Promise((later) => setTimeout(later, ms));
