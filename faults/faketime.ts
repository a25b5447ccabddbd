import { existsSync } from 'node:fs';

/** Debian's libfaketime, which makes a process take the time to be another; undefined where it is not installed. */
export const FAKETIME_LIBRARY = ['x86_64', 'aarch64']
  .map((kind) => `/usr/lib/${kind}-linux-gnu/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));
