import type { Db } from '#server/db/client.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { sanitiseRichText, showsNothing } from '#server/text/sanitise.ts';
import { picturesFor } from '../pictures/picture.service.ts';
import type { Place } from './activity.repository.ts';
import { resolveMentions } from './mention.service.ts';

/** A body as stored: sanitised source, the safe HTML made from it, and the mentioned people. */
export type WrittenBody = { body: string | null; bodyHtml: string | null; mentioned: string[] };

/** Prepares a body for storage; null when nothing visible is left after sanitising. */
export async function writeBody(
  db: Db,
  place: Place,
  source: string | undefined,
  { isReply = false } = {},
): Promise<WrittenBody> {
  const body = source === undefined ? '' : sanitiseRichText(source).trim();
  const bodyHtml = renderMarkdown(body, await picturesFor(db, place, body)).html;
  if (showsNothing(bodyHtml)) return { body: null, bodyHtml: null, mentioned: [] };
  return { body, bodyHtml, mentioned: await resolveMentions(db, place, body, { isReply }) };
}
