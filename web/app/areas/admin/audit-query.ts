/** Reads the audit query from the address. Days start at midnight UTC. */
export function auditQueryOf(url: URL): Record<'actor' | 'action' | 'object' | 'from' | 'to', string | undefined> {
  const exact = (name: string) => url.searchParams.get(name)?.trim().slice(0, 256) || undefined;
  const day = (name: string) => {
    const given = url.searchParams.get(name) ?? '';
    return /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given)) ? `${given}T00:00:00Z` : undefined;
  };
  return { actor: exact('actor'), action: exact('action'), object: exact('object'), from: day('from'), to: day('to') };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The page of an actor or of an object; undefined when there is none. */
export function placeOfActor(actor: string): string | undefined {
  return UUID.test(actor) ? `/people/${actor}` : undefined;
}
/**
 * The page of the object of an entry; undefined when there is none. `isOffice`: the viewer may open every page of the
 * administration.
 */
export function placeOfObject(
  { action, object, objectKind: kind }: { action: string; object: string; objectKind: string | null },
  isOffice = true,
): string | undefined {
  if (kind === 'person') return `/people/${object}`;
  if (!isOffice) return undefined;
  if (kind === 'cohort') return `/admin/cohorts/${object}`;
  if (kind === 'rule') return `/admin/approval/${object}`;
  if (OF_IMPORTS.includes(action) && UUID.test(object)) return `/admin/content/folder/${object}`;
  const isPiece = kind !== null && OF_CONTENT.includes(kind) && !(kind === 'community' && UUID.test(object));
  return isPiece ? `/admin/content/${kind}/${encodeURIComponent(object)}` : undefined;
}

const OF_IMPORTS = ['content.check-zip', 'content.begin-import', 'content.import'];
/** Kinds of content with a page in the administration. A community that is named by its own id has none. */
const OF_CONTENT = [
  'academy',
  'carousel',
  'community',
  'course',
  'event',
  'hub',
  'journey',
  'lesson',
  'microcourse',
  'picture',
  'question',
  'solution',
];
