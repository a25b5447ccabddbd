/** The condition that a row of users with this alias is an active account: proven, not inactive and not erased. */
export function isActiveAccount(user: string): string {
  return `(${user}.erased_at is null and ${user}.role <> 'inactive' and ${user}.email_proven_at is not null)`;
}
