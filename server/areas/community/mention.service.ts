import type { Db } from '#server/db/client.ts';
import { invalid } from '#server/errors.ts';
import { extractMentions, MAX_MENTIONS } from '#server/text/mentions.ts';
import type { Place } from './activity.repository.ts';
import { findMentionable } from './mention.repository.ts';

/**
 * Whom a text names with `{{<uuid>}}`, in order of appearance. Who is unknown, erased or could not read the text is not
 * among them. More than 10 different ids are 400.
 */
export async function resolveMentions(db: Db, place: Place, body: string): Promise<string[]> {
  const ids = extractMentions(body);
  if (ids.length > MAX_MENTIONS) throw invalid('body', `At most ${MAX_MENTIONS} different people can be mentioned`);
  if (ids.length === 0) return [];
  const known = await findMentionable(db, place, ids);
  return ids.filter((id) => known.has(id));
}
