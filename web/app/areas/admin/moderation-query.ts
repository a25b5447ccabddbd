const KINDS = ['activity', 'reaction'] as const;
// As contract/moderation-office.ts has them, whose schemas are nothing for the browser.
const SORTS = ['since', '-since', 'reports', '-reports'] as const;
export const REASONS = ['insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other'] as const;

/** What of the cases an address asks for; what it says wrong counts as nothing. */
export function casesOf({ searchParams }: URL) {
  const isDecided = searchParams.get('state') === 'decided';
  return {
    state: isDecided ? ('decided' as const) : ('waiting' as const),
    community: /^[a-z0-9-]{1,128}$/.exec(searchParams.get('community')?.trim() ?? '')?.[0],
    kind: KINDS.find((kind) => kind === searchParams.get('kind')),
    reason: REASONS.find((reason) => reason === searchParams.get('reason')),
    sort: SORTS.find((sort) => sort === searchParams.get('sort')) ?? (isDecided ? '-since' : 'since'),
  };
}
