import { type RawBuilder, sql } from 'kysely';
import { isActiveAccount } from '#server/access/account.sql.ts';
import { type CommunityCondition, SEES_COMMUNITY_CONTENT } from '#server/access/can.ts';
import type { Rule } from '#server/access/rule.ts';
import { accessSourceOf } from './access.repository.ts';
import { communityRule } from './visibility.sql.ts';

const ACCESS_SOURCE = sql.raw(accessSourceOf('u.id'));
/** A user `u` as a viewer, whatever the tokens of their sessions allow. */
const USER = {
  isAdministrator: sql`u.role = 'administrator'`,
  isInScope: sql`(u.role = 'administrator' or p.can_view in ('public', 'authenticated')
    or p.can_view = 'verified' and u.role = 'public-servant')`,
  isGranted: sql`is_granted(u.id, c.entry_id)`,
  counts: sql.raw(isActiveAccount('u')),
};

/** The condition that a user `u` with an active account meets a rule in a community; by default, sees its posts. */
export function userMeets(
  communityId: RawBuilder<unknown>,
  rule: Rule<CommunityCondition> = SEES_COMMUNITY_CONTENT,
): RawBuilder<boolean> {
  return sql`exists (select from ${ACCESS_SOURCE} where c.id = ${communityId} and ${communityRule(rule, USER)})`;
}
