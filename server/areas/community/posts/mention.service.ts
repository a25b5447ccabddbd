import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { invalid } from '#server/errors.ts';
import { takeLimit, takeWriting } from '#server/limits/limits.ts';
import { extractMentions, MAX_MENTIONS } from '#server/text/mentions.ts';
import type { Place } from './activity.repository.ts';
import { findMentionable } from './mention.repository.ts';

/** Over all texts of a user. */
const MENTIONS = { max: 50, windowSeconds: 3600 };

/** Counts the people that a text newly mentions; throws 429 above the limit. */
export async function takeMentions(
  ctx: Ctx,
  actor: UserViewer,
  mentioned: string[],
  former: string[] = [],
): Promise<void> {
  const added = mentioned.filter((id) => !former.includes(id));
  if (added.length > 0) await takeLimit(ctx, `mention:${actor.id}`, MENTIONS, added.length);
}

/**
 * The allowances of one request: each text and mention is counted once, however often the request retries the write.
 */
export function allowancesOf(ctx: Ctx, writer: UserViewer) {
  let isCounted = false;
  let counted: string[] = [];
  return {
    async takeWriting(text: object): Promise<void> {
      if (isCounted) return;
      isCounted = true;
      await takeWriting(ctx, writer.id, text);
    },
    async takeMentions(mentioned: string[]): Promise<void> {
      const former = counted;
      counted = [...counted, ...mentioned];
      await takeMentions(ctx, writer, mentioned, former);
    },
  };
}

/**
 * The ids a text mentions with `{{<uuid>}}`, in order of appearance, without people who are unknown, erased or unable
 * to read the text. More than 10 different ids are 400.
 */
export async function resolveMentions(db: Db, place: Place, body: string, { isReply = false } = {}): Promise<string[]> {
  const ids = extractMentions(body);
  if (ids.length > MAX_MENTIONS) throw invalid('body', `At most ${MAX_MENTIONS} different people can be mentioned`);
  if (ids.length === 0) return [];
  const known = await findMentionable(db, { place, isReply, ids });
  return ids.filter((id) => known.has(id));
}
