import { ensureBuilt } from '../web/build.ts';

/** Builds the pages before the first drill: several drills start products at the same time. */
export default async function setup(): Promise<void> {
  await ensureBuilt(() => {});
}
