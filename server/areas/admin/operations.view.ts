/** Masks an address: first letter and domain. */
export function shortened(address: string): string {
  return address.replace(/^(.)[^@]*@/su, '$1…@');
}

/** Begins where a word does; from each letter of a long word it would take quadratic time. */
const ADDRESS = /(?<![\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-])[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+@[\p{L}\p{N}.-]+/gu;

/** A mail server's message with addresses masked, cut to fit the screen. */
export function toAnswer(words: string | null): string | null {
  return words === null ? null : words.slice(0, 2000).replaceAll(ADDRESS, shortened);
}
