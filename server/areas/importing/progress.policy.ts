/** Called often: how many of `total` steps are done, and what is under way. */
export type Progress = (done: number, total: number, subject: string) => void;

/** Counts steps for a `Progress`; further steps may become known on the way. */
export function countSteps(tell: Progress | undefined, total: number) {
  let done = 0;
  let all = total;
  return {
    expect: (more: number) => void (all += more),
    step: (subject: string) => tell?.(++done, Math.max(all, done), subject),
  };
}
export type Steps = ReturnType<typeof countSteps>;
