import { DEFAULT_LOCALE, type Locale } from '@officium/contract/common';
import { DEFAULT_TEMPERATURE, type PAYLOAD_TYPES } from '@officium/contract/translation';
import { chainOf } from '@officium/i18n/locales';
import { NONE, REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { translateFor } from '#server/areas/content/translation.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { openWithLevel } from './access.service.ts';
import { openLesson } from './lesson-discussion.service.ts';
import { getActivityPayload, getReactionPayload, type PayloadRow } from './payload-translation.repository.ts';
import { openPoll } from './poll.service.ts';
import type { TranslationMemory } from './translation-memory.ts';

type Payload = { id: string; payloadType: (typeof PAYLOAD_TYPES)[number] };
type Texts = { title: string | null; body: string | null };

/** Lets in whoever may read it where it stands: everyone in the audience reads posts, members read what is replied. */
async function enter(ctx: Ctx, viewer: UserViewer, payload: Payload, row: PayloadRow): Promise<void> {
  const { communitySlug, courseId, journeyId, lessonId, activityId } = row;
  if (communitySlug !== null)
    await openWithLevel(ctx.db, viewer, communitySlug, payload.payloadType === 'reaction_payload' ? REDUCED : NONE);
  else if (courseId !== null && journeyId !== null && lessonId !== null)
    await openLesson(ctx.db, viewer, { courseId, journeyId, lessonId });
  else await openPoll(ctx.db, viewer, { pollId: activityId }, NONE);
}

/** What was written, in the language asked for if it was written in that, else in the nearest. */
function writtenFor(row: PayloadRow, target: Locale): Texts & { locale: Locale } {
  const { title, body, bodyMap, locale } = row;
  if (bodyMap === null) return { title, body, locale };
  const nearest = [...chainOf(target), DEFAULT_LOCALE].find((candidate) => bodyMap[candidate] !== undefined) ?? locale;
  return { title, body: bodyMap[nearest] ?? body, locale: nearest };
}

/** A stored text in another language; in its own as it is. */
export async function translatePayload(
  ctx: Ctx,
  viewer: UserViewer,
  request: { payload: Payload; target: Locale; memory: TranslationMemory },
): Promise<Texts> {
  const { payload, target, memory } = request;
  const get = payload.payloadType === 'reaction_payload' ? getReactionPayload : getActivityPayload;
  const row = await get(ctx.db, payload.id);
  if (!row) throw notFound();
  await enter(ctx, viewer, payload, row);
  const { title, body, locale: source } = writtenFor(row, target);
  if (source === target) return { title, body };
  const into = async (content: string | null) => {
    if (!content) return content;
    const text = { content, source, target };
    const options = { encoding: 'plain-text', model: 'fast', temperature: DEFAULT_TEMPERATURE } as const;
    return await memory(ctx, text, async () => await translateFor(ctx, viewer, { ...text, ...options }));
  };
  return { title: await into(title), body: await into(body) };
}
