import { setTimeout as wait } from 'node:timers/promises';

/** Well above what it takes to write a mail. */
export const EVEN_PACE_MS = 100;

/** Answers no sooner than when there was a mail to write, so that the time it takes does not tell who has an account. */
export async function atEvenPace<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, wait(EVEN_PACE_MS)]);
  return result;
}
