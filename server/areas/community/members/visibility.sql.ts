import { type RawBuilder, sql } from 'kysely';
import { admits, type CommunityCondition, openCommunitySlugs, SCOPES } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import type { Rule } from '#server/access/rule.ts';
import { ruleSql } from '#server/access/rule.sql.ts';
import { isLockedOut, type Viewer } from '#server/access/viewer.ts';

/** A viewer of communities in a statement, for a community `c` and its product `p`. */
export type ViewerConditions = {
  isAdministrator: RawBuilder<unknown>;
  /** The product's scope includes the viewer. */
  isInScope: RawBuilder<unknown>;
  /** A cohort of the viewer has the community as a product. */
  isGranted: RawBuilder<unknown>;
  /** The account is active and the session's token allows the community: memberships, grants and the role count. */
  counts: RawBuilder<unknown>;
};

/** The viewer as relation `v`; `isGranted`: a condition for `v.id` and `c`. */
export function viewerConditions(viewer: Viewer, isGranted: string): ViewerConditions {
  const scopes = isLockedOut(viewer) ? [] : SCOPES.filter((scope) => admits(scope, viewer, false));
  return {
    isAdministrator: sql`v.is_admin`,
    isInScope: sql`coalesce(p.can_view, 'private') = any(${scopes}::text[])`,
    isGranted: sql.raw(isGranted),
    counts: sql`(v.is_active and ${isOpenSlug('c.slug', openCommunitySlugs(viewer))})`,
  };
}

const HAS_MEMBER_LEVEL = sql`m.status = 'active' and (m.role = 'owner' or m.level is distinct from 0)`;

/**
 * A rule of access/can.ts about communities, as a condition on a community `c`, its product `p` and the viewer's
 * membership `m` without an expired one, the latter two by outer joins.
 */
export function communityRule(rule: Rule<CommunityCondition>, viewer: ViewerConditions): RawBuilder<boolean> {
  const { isAdministrator, isInScope, isGranted, counts } = viewer;
  return ruleSql(rule, {
    hasLevel: sql`(${counts} and (${isAdministrator} or ${HAS_MEMBER_LEVEL}))`,
    isMember: sql`(${counts} and m.status = 'active')`,
    isInvited: sql`(${counts} and (m.status = 'invited' or ${isGranted}))`,
    isInScope,
    isOpen: sql`c.privacy in ('open-visible', 'open-hidden')`,
    isListed: sql`c.privacy in ('open-visible', 'closed-visible')`,
    hasScopedPage: sql`c.privacy <> 'closed-hidden'`,
  });
}
