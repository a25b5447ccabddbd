/** An address as far as it helps to know whose it is: its first letter and its domain. */
export function shortened(address: string): string {
  return address.replace(/^(.)[^@]*@/su, '$1…@');
}

const ADDRESS = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+@[\p{L}\p{N}.-]+/gu;

/** The words of a mail server, in which it may repeat addresses, and no more of them than fit on a screen. */
export function toAnswer(words: string | null): string | null {
  return words === null ? null : words.slice(0, 2000).replaceAll(ADDRESS, shortened);
}
