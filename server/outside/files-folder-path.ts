import { join } from 'node:path';

/** The path of a key in a folder. Refuses a key that leads out of it, which only a damaged or forged record can hold. */
export function pathIn(folder: string, key: string): string {
  const isSafe = !/[\\\0]/.test(key) && key.split('/').every((part) => !['', '.', '..'].includes(part));
  if (!isSafe) throw new Error('the key of a file leads out of its folder');
  return join(folder, key);
}
