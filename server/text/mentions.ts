/** The most distinct people one body may mention. */
export const MAX_MENTIONS = 10;

const MENTION = /\{\{([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}\}/gi;

/** The distinct user ids, in lower case, written as `{{<uuid>}}` in a body, in order of appearance. */
export function extractMentions(body: string): string[] {
  if (!body.includes('{{')) return [];
  return [...new Set(Array.from(body.matchAll(MENTION), (match) => match[1]!.toLowerCase()))]; // the group always matches
}
