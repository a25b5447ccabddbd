import { setTimeout as wait } from 'node:timers/promises';

/** Well above the time it takes to queue a mail. */
export const EVEN_PACE_MS = 100;

/** Delays every reply to the same minimum, so that timing does not reveal whether an address has an account. */
export async function atEvenPace<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, wait(EVEN_PACE_MS)]);
  return result;
}
