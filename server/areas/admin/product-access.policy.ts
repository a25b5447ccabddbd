import { type Scope, stricter } from '#server/access/can.ts';

/** Numbers of active accounts by role. */
export type Crowd = { others: number; servants: number; administrators: number };
export type AccessReason = 'own' | 'as-course' | 'stricter-course' | 'content';
export type AccessScopes = { can_view: Scope; can_join: Scope };

/** Input for a preview. `insiders` have access through a cohort or an enrolment, whatever the scopes are. */
export type AccessFacts = {
  allUsers: Crowd;
  insiders: Crowd;
  /** The content is restricted to insiders. */
  isByInvitation: boolean;
  /** Scopes of the course if it is set as well as the journey: the stricter one applies. */
  floor: AccessScopes | null;
};

/** Number of accounts a scope admits. Must agree with `admits` in server/access/can.ts. */
function admitted(scope: Scope, { allUsers, insiders }: AccessFacts): number {
  switch (scope) {
    case 'public':
    case 'authenticated':
      return allUsers.others + allUsers.servants + allUsers.administrators;
    case 'verified':
      return allUsers.servants + allUsers.administrators + insiders.others;
    case 'private':
      return allUsers.administrators + insiders.others + insiders.servants;
  }
}

/** The facts that decide access to a product: its scopes, and for a journey those of its course. */
export type AccessRules = {
  own: AccessScopes;
  isSet: boolean;
  course: AccessScopes | null;
  isCourseSet: boolean;
  isByInvitation: boolean;
  /** The content takes nobody who is not admitted, although others may view it. */
  isJoinByInvitation: boolean;
};

/** The scopes in force and the reason. Must agree with `factsOfJourney` in server/access/can.ts. */
export function effectiveOf(rules: AccessRules): { effective: AccessScopes; reason: AccessReason } {
  const { own, isSet, course, isCourseSet, isByInvitation, isJoinByInvitation } = rules;
  if (isByInvitation) return { effective: { can_view: 'private', can_join: 'private' }, reason: 'content' };
  const floor = course && isCourseSet ? course : null;
  const held = course && !isSet ? course : inForce(own, { isByInvitation, floor });
  const reason = course && !isSet ? 'as-course' : isSame(held, own) ? 'own' : 'stricter-course';
  if (!isJoinByInvitation || held.can_join === 'private') return { effective: held, reason };
  return { effective: { ...held, can_join: 'private' }, reason: 'content' };
}

function isSame(one: AccessScopes, other: AccessScopes): boolean {
  return one.can_view === other.can_view && one.can_join === other.can_join;
}

/** The effective scopes when these are set. */
function inForce(
  { can_view, can_join }: AccessScopes,
  { isByInvitation, floor }: Pick<AccessFacts, 'isByInvitation' | 'floor'>,
): AccessScopes {
  if (isByInvitation) return { can_view: 'private', can_join: 'private' };
  return floor
    ? { can_view: stricter(can_view, floor.can_view), can_join: stricter(can_join, floor.can_join) }
    : { can_view, can_join };
}

/** True unless every scope admits all accounts, in which case insiders need not be counted. */
export function asksForInsiders(
  facts: Pick<AccessFacts, 'isByInvitation' | 'floor'>,
  scopes: readonly AccessScopes[],
): boolean {
  return scopes
    .map((given) => inForce(given, facts))
    .some((held) => [held.can_view, held.can_join].some((scope) => scope === 'verified' || scope === 'private'));
}

export type AccessChange = {
  view: { before: number; after: number };
  join: { before: number; after: number };
  becomesPublic: boolean;
  endsPublic: boolean;
};

/** How many people gain or lose access when the scopes change. */
export function changeOf(facts: AccessFacts, before: AccessScopes, after: AccessScopes): AccessChange {
  const [then, now] = [inForce(after, facts), inForce(before, facts)];
  return {
    view: { before: admitted(now.can_view, facts), after: admitted(then.can_view, facts) },
    join: { before: admitted(now.can_join, facts), after: admitted(then.can_join, facts) },
    becomesPublic: then.can_view === 'public' && now.can_view !== 'public',
    endsPublic: now.can_view === 'public' && then.can_view !== 'public',
  };
}
