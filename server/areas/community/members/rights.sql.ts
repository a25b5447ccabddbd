/** The condition that a row of community_members with this alias is an active owner. */
export function isActiveOwner(membership: string): string {
  return `${membership}.role = 'owner' and ${membership}.status = 'active'`;
}

/** The condition that a row of community_members with this alias manages the members: an owner, or full control. */
export function isManager(membership: string): string {
  return `${membership}.status = 'active' and (${membership}.role = 'owner' or ${membership}.level = 3)`;
}

/** The condition that a row of users with this alias is an administrator, or an owner of the community with this id. */
export function isTop(user: string, communityId: string): string {
  return `(${user}.role = 'administrator' or exists (
    select from community_members owned
    where owned.community_id = ${communityId} and owned.user_id = ${user}.id and ${isActiveOwner('owned')}))`;
}
