// What somebody is writing, kept in their browser. One of several people on a device never meets another's: the keys
// carry the account, and signing out takes them all away.

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
    return false; // full, or forbidden: then there is no draft, and the page does not say there is
  }
}

export function readDraft(key: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isDraft(draft) ? draft : undefined;
  } catch {
    return undefined; // forbidden, or not ours
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

/** All drafts of this browser: what signing out does. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // forbidden: nothing was kept
  }
}
