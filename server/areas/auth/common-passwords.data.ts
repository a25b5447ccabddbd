let known: Promise<ReadonlySet<string>> | undefined;

/** Some 49 000 passwords of published leaks, the most used of all among them; read when one is first set. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return await known;
}
