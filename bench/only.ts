const at = process.argv.indexOf('--only');
const words = at < 0 ? [] : process.argv.slice(at + 1).filter((word) => word !== '--write');

/** `--only <words>` selects the cases whose name contains the words. */
export function isSelected({ name }: { name: string }): boolean {
  return name.includes(words.join(' '));
}

/** Whether only some operations are measured. */
export const isSelective = at >= 0;
