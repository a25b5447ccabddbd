import { DEFAULT_LOCALE, type Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { PAYLOAD_TYPES, readPayloadTranslation as operation } from '@officium/contract/translation';
import { chainOf } from '@officium/i18n/locales';
import { NONE, REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { type TextPart, translateOriginal } from '#server/areas/translations/machine-translation.service.ts';
import { samePicturesAs } from '../pictures/picture.policy.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { NOWHERE, openWithLevel } from '../members/access.service.ts';
import { openLesson } from '../discussions/lesson-discussion.service.ts';
import {
  getActivityPayload,
  getReactionPayload,
  lockPayload,
  type PayloadRow,
  type PollOption,
} from './payload-translation.repository.ts';
import { openPoll } from '../polls/poll.service.ts';

const MISSING = { communitySlug: NOWHERE, courseId: null, journeyId: null, lessonId: null, activityId: '' };

type Payload = { id: string; payloadType: (typeof PAYLOAD_TYPES)[number] };

/**
 * Checks that the viewer may read the text: posts need access to the place, replies membership. A missing text is
 * looked up in a place that does not exist.
 */
async function enter(ctx: Ctx, viewer: UserViewer, payload: Payload, row: PayloadRow | undefined): Promise<void> {
  const { communitySlug, courseId, journeyId, lessonId, activityId } = row ?? MISSING;
  if (communitySlug !== null)
    await openWithLevel(ctx.db, viewer, communitySlug, payload.payloadType === 'reaction_payload' ? REDUCED : NONE);
  else if (courseId !== null && journeyId !== null && lessonId !== null)
    await openLesson(ctx.db, viewer, { courseId, journeyId, lessonId });
  else await openPoll(ctx.db, viewer, { pollId: activityId }, NONE);
}

type Texts = Pick<PayloadRow, 'title' | 'body' | 'bodyHtml' | 'options'>;

/** The original in the target language if there is one, else in the nearest language. */
function writtenFor(row: PayloadRow, target: Locale): Texts & { source: Locale } {
  const { title, body, bodyHtml, bodyMap, bodyHtmlMap, options, locale } = row;
  if (bodyMap === null) return { title, body, bodyHtml, options, source: locale };
  const nearest = [...chainOf(target), DEFAULT_LOCALE].find((candidate) => bodyMap[candidate] !== undefined) ?? locale;
  return {
    title,
    body: bodyMap[nearest] ?? body,
    bodyHtml: bodyHtmlMap?.[nearest] ?? bodyHtml,
    options,
    source: nearest,
  };
}

/** A stored text in another language. An original in that language takes precedence over a machine translation. */
export async function translatePayload(
  ctx: Ctx,
  viewer: UserViewer,
  { payload, target }: { payload: Payload; target: Locale },
): Promise<ReplyOf<typeof operation> & { body: string | null }> {
  const get = payload.payloadType === 'reaction_payload' ? getReactionPayload : getActivityPayload;
  const row = await get(ctx.db, payload.id);
  await enter(ctx, viewer, payload, row);
  if (!row) throw notFound();
  const { source, ...texts } = writtenFor(row, target);
  const parts = partsOf(texts);
  if (source === target || parts.length === 0) return { ...texts, source, locale: target, machine: false };
  const original = { id: payload.id, source, parts, hold: (db: Db) => lockPayload(db, payload, row) };
  const words = await translateOriginal(ctx, viewer, original, target);
  const body = texts.body && (words.get('body') ?? texts.body);
  return {
    title: texts.title && (words.get('title') ?? texts.title),
    body,
    bodyHtml: body && renderMarkdown(body, samePicturesAs(texts.bodyHtml)).html,
    options: texts.options.map((option) => ({ ...option, body: words.get(optionPart(option)) ?? option.body })),
    source,
    locale: target,
    machine: true,
  };
}

const optionPart = ({ id }: PollOption) => `option:${id}`;

function partsOf({ title, body, options }: Texts): TextPart[] {
  return [
    ...(title ? [{ part: 'title', encoding: 'plain-text', content: title } as const] : []),
    ...(body ? [{ part: 'body', encoding: 'markdown', content: body } as const] : []),
    ...options.map((option): TextPart => ({ part: optionPart(option), encoding: 'plain-text', content: option.body })),
  ];
}
