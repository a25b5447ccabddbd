const KINDS = ['activity', 'reaction', 'article'] as const;
// Copied from contract/moderation-office.ts, because importing it would bring its schemas into the browser.
const SORTS = ['since', '-since', 'reports', '-reports'] as const;
export const REASONS = ['insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other'] as const;

const slugOf = (value: string | null) => /^[a-z0-9-]{1,128}$/.exec(value?.trim() ?? '')?.[0];

/** Reads the case filters from the address; invalid values are ignored. */
export function casesOf({ searchParams }: URL) {
  const isDecided = searchParams.get('state') === 'decided';
  return {
    state: isDecided ? ('decided' as const) : ('waiting' as const),
    community: slugOf(searchParams.get('community')),
    course: slugOf(searchParams.get('course')),
    kind: KINDS.find((kind) => kind === searchParams.get('kind')),
    reason: REASONS.find((reason) => reason === searchParams.get('reason')),
    sort: SORTS.find((sort) => sort === searchParams.get('sort')) ?? (isDecided ? '-since' : 'since'),
  };
}
