import { existsSync } from 'node:fs';

/** Debian's libfaketime, which shifts the clock of a process; undefined where it is not installed. */
export const FAKETIME_LIBRARY = ['x86_64', 'aarch64']
  .map((kind) => `/usr/lib/${kind}-linux-gnu/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));
