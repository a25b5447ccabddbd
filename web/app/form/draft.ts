// Drafts stored in the browser. The keys include the account, so that users of a shared device never see each other's
// drafts, and signing out deletes all of them.

const PREFIX = 'draft:';

export type Draft = { values: Record<string, string>; savedAt: string };

export function draftKey(userId: string, what: string): string {
  return `${PREFIX}${userId}:${what}`;
}

export function saveDraft(key: string, values: Record<string, string>): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ values, savedAt: new Date().toISOString() } satisfies Draft));
    return true;
  } catch {
    return false; // storage full or blocked: no draft, and the page does not claim one
  }
}

export function readDraft(key: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isDraft(draft) ? draft : undefined;
  } catch {
    return undefined; // storage blocked, or not our format
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('values' in value) || !('savedAt' in value)) return false;
  const { values, savedAt } = value;
  return (
    typeof values === 'object' && values !== null && typeof savedAt === 'string' && !Number.isNaN(Date.parse(savedAt))
  );
}

export function forgetDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // forbidden: nothing was kept
  }
}

/** Deletes all drafts of this browser, on signing out. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // forbidden: nothing was kept
  }
}
