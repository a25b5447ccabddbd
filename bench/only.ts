const at = process.argv.indexOf('--only');
const words = at < 0 ? [] : process.argv.slice(at + 1).filter((word) => word !== '--write');

/** `--only <words>`: of all cases those whose name has these words; all without it. */
export function isWanted({ name }: { name: string }): boolean {
  return name.includes(words.join(' '));
}
