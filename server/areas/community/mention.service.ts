import type { Db } from '#server/db/client.ts';
import { invalid } from '#server/errors.ts';
import { extractMentions, MAX_MENTIONS } from '#server/text/mentions.ts';
import { findMentionable } from './mention.repository.ts';

/** Whom a text names with `{{<uuid>}}`: those who exist, in order of appearance. More than 10 different ids are 400. */
export async function resolveMentions(db: Db, body: string, path = 'body'): Promise<string[]> {
  const ids = extractMentions(body);
  if (ids.length > MAX_MENTIONS) throw invalid(path, `At most ${MAX_MENTIONS} different people can be mentioned`);
  if (ids.length === 0) return [];
  const known = await findMentionable(db, ids);
  return ids.filter((id) => known.has(id));
}
