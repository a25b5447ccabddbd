/** The condition that a row of users with this alias waits for approval; must match `STATES` in admin/person.repository.ts. */
export function isWaiting(user: string): string {
  return `${user}.registration_status = 'pending' and ${user}.role = 'non-public-servant'
    and ${user}.email_proven_at is not null and ${user}.erased_at is null`;
}
