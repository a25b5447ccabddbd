import { type Scope, stricter } from '#server/access/can.ts';

/** People with an account in use, by what the scopes ask of them. */
export type Crowd = { others: number; servants: number; administrators: number };
export type AccessScopes = { can_view: Scope; can_join: Scope };

/** What a change of scopes rests on. `insiders` are let in by a cohort or have a place, and see it whatever is set. */
export type AccessFacts = {
  everybody: Crowd;
  insiders: Crowd;
  /** The content says that only insiders see it. */
  isByInvitation: boolean;
  /** The course and the journey are both set: the stricter of the two holds. */
  floor: AccessScopes | null;
};

/** How many people with an account a scope admits, as `admits` in server/access/can.ts decides for one of them. */
function admitted(scope: Scope, { everybody, insiders }: AccessFacts): number {
  switch (scope) {
    case 'public':
    case 'authenticated':
      return everybody.others + everybody.servants + everybody.administrators;
    case 'verified':
      return everybody.servants + everybody.administrators + insiders.others;
    case 'private':
      return everybody.administrators + insiders.others + insiders.servants;
  }
}

/** The scopes that hold when these are set. */
function inForce(
  { can_view, can_join }: AccessScopes,
  { isByInvitation, floor }: Pick<AccessFacts, 'isByInvitation' | 'floor'>,
): AccessScopes {
  if (isByInvitation) return { can_view: 'private', can_join: 'private' };
  return floor
    ? { can_view: stricter(can_view, floor.can_view), can_join: stricter(can_join, floor.can_join) }
    : { can_view, can_join };
}

/** Does it matter who is let in, for any of these scopes? Where everybody with an account is admitted it does not. */
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

/** What setting other scopes changes, in people. */
export function changeOf(facts: AccessFacts, before: AccessScopes, after: AccessScopes): AccessChange {
  const [then, now] = [inForce(after, facts), inForce(before, facts)];
  return {
    view: { before: admitted(now.can_view, facts), after: admitted(then.can_view, facts) },
    join: { before: admitted(now.can_join, facts), after: admitted(then.can_join, facts) },
    becomesPublic: then.can_view === 'public' && now.can_view !== 'public',
    endsPublic: now.can_view === 'public' && then.can_view !== 'public',
  };
}
