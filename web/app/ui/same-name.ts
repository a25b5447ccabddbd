/** Whether a typed name equals another, regardless of spaces and Unicode form. */
export function isSameName(typed: string, name: string): boolean {
  return plain(typed) === plain(name);
}

function plain(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
