let known: Promise<ReadonlySet<string>> | undefined;

/** About 49 000 passwords from published leaks, including the most used ones. Loaded when a password is first set. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return await known;
}
