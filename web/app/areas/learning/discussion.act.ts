import { data } from 'react-router';
import { readLesson } from '@officium/contract/learner';
import {
  createLessonActivity,
  createLessonChildReaction,
  createLessonReaction,
  deleteLessonActivity,
  deleteLessonReaction,
  updateLessonActivity,
  updateLessonReaction,
} from '@officium/contract/lesson-discussions';
import { uploadLessonPicture } from '@officium/contract/post-pictures';
import { decideReports, reportContent } from '@officium/contract/moderation';
import { bodyWithPicture, keepBody } from '../../editor/picture.act.ts';
import type { act, Refusal } from '../../server/api.ts';
import { optionalOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { reasonOf } from '../../form/reason-field.ts';
import type { MessageKey } from '../../message-keys.ts';

type Args = Awaited<ReturnType<typeof act>>;
type Sent = { ok: true; anchor: string } | { ok: false; refusal: Refusal };
type Path = { courseSlug: string; journeySlug: string; lessonSlug: string };

/**
 * Handles the forms of a discussion. `target` is the contribution or reply, `depth` tells which of the two. With
 * script, `stay` requests a plain result, so that the page does not navigate.
 */
export async function discuss(args: Args, path: Path) {
  const { api, attempt, fields, locale } = args;
  const { course, journey, lesson } = await api(readLesson, { params: path, query: { locale } });
  const ids = { courseId: course.id, journeyId: journey.id, lessonId: lesson.id };
  const target = String(fields.get('target') ?? '');
  const isReaction = fields.get('depth') !== '0';
  const params = isReaction ? { ...ids, reactionId: target } : { ...ids, activityId: target };
  const react = (body: { kind: 'like' } | { kind: 'reply'; body: string; locale: typeof locale }) =>
    'reactionId' in params
      ? attempt(createLessonChildReaction, { params, body })
      : attempt(createLessonReaction, { params, body });
  /** Sends the text with the picture that came with it, and says where it then stands. */
  const write = async (send: (text: string) => Promise<Sent>, key: MessageKey) => {
    const written = await bodyWithPicture(args, (file) => attempt(uploadLessonPicture, { params: ids, file }));
    if (written.refusal) return written.refusal;
    const made = await send(written.body);
    return made.ok ? done(args, key, made.anchor) : keepBody(refused(made.refusal), written.body);
  };

  switch (fields.get('act')) {
    case 'start':
      return await write(async (text) => {
        const made = await attempt(createLessonActivity, { params: ids, body: { body: inLocales(text, locale) } });
        return made.ok ? { ok: true, anchor: made.body.activityId } : made;
      }, 'learning.contribution_made');
    case 'reply':
      return await write(async (text) => {
        const made = await react({ kind: 'reply', body: text, locale });
        return made.ok ? { ok: true, anchor: made.body.id } : made;
      }, 'learning.reply_made');
    case 'like': {
      const made = await react({ kind: 'like' });
      return made.ok ? done(args, undefined, target) : refused(made.refusal);
    }
    case 'unlike': {
      const like = String(fields.get('like') ?? '');
      const gone = await attempt(deleteLessonReaction, { params: { ...ids, reactionId: like } });
      return gone.ok ? done(args, undefined, target) : refused(gone.refusal);
    }
    case 'edit':
      return await write(async (text) => {
        const lang = String(fields.get('lang') ?? locale);
        const changed =
          'reactionId' in params
            ? await attempt(updateLessonReaction, { params, body: { content: text } })
            : await attempt(updateLessonActivity, { params, body: { body: inLocales(text, lang) } });
        return changed.ok ? { ok: true, anchor: target } : changed;
      }, 'common.saved');
    case 'delete': {
      const gone =
        'reactionId' in params
          ? await attempt(deleteLessonReaction, { params })
          : await attempt(deleteLessonActivity, { params });
      return gone.ok ? done(args, 'learning.post_deleted', 'discussion') : refused(gone.refusal);
    }
    case 'report':
    case 'remove':
      return await moderate(args, isReaction ? 'reaction' : 'activity', target);
    default:
      return data(null, { status: 400 });
  }
}

/** Reports a text, or removes it as a moderator, with a reason. */
async function moderate(args: Args, kind: 'activity' | 'reaction', id: string) {
  const { attempt, fields } = args;
  const said = { kind, id, reason: reasonOf(fields), note: optionalOf(fields, 'note') };
  if (fields.get('act') === 'report') {
    const sent = await attempt(reportContent, { body: said });
    return sent.ok ? done(args, 'thread.reported', id) : sent.refusal;
  }
  const gone = await attempt(decideReports, { body: { ...said, decision: 'remove' } });
  return gone.ok ? done(args, 'learning.post_deleted', 'discussion') : gone.refusal;
}

/** The API requires English in addition to the language of a contribution. */
function inLocales(text: string, locale: string): Record<string, string> {
  return { en: text, [locale]: text };
}

/** Each form has a single field, whatever the API calls it. */
function refused(refusal: Refusal): Refusal {
  for (const issue of refusal.data.issues) issue.path = 'body';
  return refusal;
}

function done({ fields, url }: Args, key: MessageKey | undefined, anchor: string) {
  if (fields.has('stay')) return { isDone: true as const };
  const place = `${url.pathname}${url.search}#${anchor === 'discussion' ? anchor : `post-${anchor}`}`;
  return key ? redirectWith(place, { key }) : redirectTo(place);
}

function redirectTo(place: string): Response {
  return new Response(null, { status: 302, headers: { location: place } });
}
