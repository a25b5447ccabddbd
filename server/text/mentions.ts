/** Maximum number of distinct users mentioned in one body. */
export const MAX_MENTIONS = 10;

const MENTION = /\{\{([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}\}/gi;

/** Returns the distinct user ids mentioned as `{{<uuid>}}`, in lower case and in order of appearance. */
export function extractMentions(body: string): string[] {
  if (!body.includes('{{')) return [];
  return [...new Set(Array.from(body.matchAll(MENTION), (match) => match[1]!.toLowerCase()))]; // the group always matches
}
