/** Shorter names match too many passwords by accident. */
const SHORTEST = 3;

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{M}]/gu, '');

export type Circumstances = {
  /** In lower case. */
  common: ReadonlySet<string>;
  email: string | null;
  name: string;
  /** Names of the product and its provider. */
  siteNames: readonly string[];
};

/**
 * True for common passwords, and for the name or address of the user or the site with digits or punctuation around it.
 * Compares in the same Unicode form as password hashing (NFKC).
 */
export function isGuessable(password: string, { common, email, name, siteNames }: Circumstances): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (common.has(plain)) return true;
  const [local = '', domain = ''] = (email ?? '').split('@');
  const words = [local, domain, email ?? '', name, ...name.split(/\s+/), ...siteNames];
  const letters = lettersOf(plain);
  return words.map(lettersOf).some((word) => [...word].length >= SHORTEST && word === letters);
}
