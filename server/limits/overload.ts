const LOOK_EVERY_MS = 250;
const MOST_LATE_MS = 500;
/** One stall is over when it is noticed; only a lasting overload justifies refusals. */
const LOOKS = 2;
/** The share of a processor this process must have used: refusing requests does not help against other processes. */
const OWN_SHARE = 0.3;

export type Overload = { isOverloaded(): boolean; stop(): void };

/** Watches the event loop's delay. The process is overloaded after two delays of half a second in a row. */
export function watchOverload(now = () => performance.now(), cpuMs = ownCpuMs): Overload {
  let looked = now();
  let used = cpuMs();
  let lateInARow = 0;
  const timer = setInterval(() => {
    const [time, cpu] = [now(), cpuMs()];
    const elapsed = time - looked;
    const isLate = elapsed - LOOK_EVERY_MS > MOST_LATE_MS && cpu - used > elapsed * OWN_SHARE;
    lateInARow = isLate ? lateInARow + 1 : 0;
    [looked, used] = [time, cpu];
  }, LOOK_EVERY_MS);
  timer.unref();
  return { isOverloaded: () => lateInARow >= LOOKS, stop: () => clearInterval(timer) };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
