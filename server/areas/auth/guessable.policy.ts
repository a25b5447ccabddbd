/** Names of two letters say nothing. */
const SHORTEST = 3;

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{M}]/gu, '');

export type Circumstances = {
  /** In lower case. */
  common: ReadonlySet<string>;
  email: string | null;
  name: string;
  /** What the product and whoever offers it are called. */
  places: readonly string[];
};

/**
 * Is this what somebody would try first: one of the common passwords, or the name or address of the person or of the
 * place, whatever digits and signs stand around it? Counted as passwords are compared, in compatibility form.
 */
export function isGuessable(password: string, { common, email, name, places }: Circumstances): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (common.has(plain)) return true;
  const [local = '', domain = ''] = (email ?? '').split('@');
  const words = [local, domain, email ?? '', name, ...name.split(/\s+/), ...places];
  const letters = lettersOf(plain);
  return words.map(lettersOf).some((word) => [...word].length >= SHORTEST && word === letters);
}
