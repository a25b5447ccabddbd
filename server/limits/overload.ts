const LOOK_EVERY_MS = 250;
const MOST_LATE_MS = 500;
/** One stall is over when it is seen; what lasts is worth turning people away for. */
const LOOKS = 2;
/** Late by its own work: it had at least so much of a processor. Where others take it, turning people away helps nobody. */
const OWN_SHARE = 0.3;

export type Overload = { isOverloaded(): boolean; stop(): void };

/** Watches how late this process comes to do what is due. Overloaded is one that is half a second late twice in a row. */
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
