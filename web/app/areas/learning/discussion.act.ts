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
import type { act, Refusal } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import type { MessageKey } from '../../message-keys.ts';

type Args = Awaited<ReturnType<typeof act>>;
type Path = { courseSlug: string; journeySlug: string; lessonSlug: string };

/**
 * Answers the forms of a discussion. `target` is the contribution or reply meant, `depth` which of the two. With script
 * `stay` asks for a plain answer, so that the reader is not moved.
 */
export async function discuss(args: Args, path: Path) {
  const { api, attempt, fields, locale } = args;
  const { course, journey, lesson } = await api(readLesson, { params: path, query: { locale } });
  const ids = { courseId: course.id, journeyId: journey.id, lessonId: lesson.id };
  const text = String(fields.get('body') ?? '');
  const target = String(fields.get('target') ?? '');
  const isReaction = fields.get('depth') !== '0';
  const params = isReaction ? { ...ids, reactionId: target } : { ...ids, activityId: target };
  const react = (kind: 'like' | 'reply') => {
    const body = kind === 'reply' ? { kind, body: text, locale } : { kind };
    return 'reactionId' in params
      ? attempt(createLessonChildReaction, { params, body })
      : attempt(createLessonReaction, { params, body });
  };

  switch (fields.get('act')) {
    case 'start': {
      const made = await attempt(createLessonActivity, { params: ids, body: { body: inLocales(text, locale) } });
      return made.ok ? done(args, 'learning.contribution_made', made.body.activityId) : refused(made.refusal);
    }
    case 'reply': {
      const made = await react('reply');
      return made.ok ? done(args, 'learning.reply_made', made.body.id) : refused(made.refusal);
    }
    case 'like': {
      const made = await react('like');
      return made.ok ? done(args, undefined, target) : refused(made.refusal);
    }
    case 'unlike': {
      const like = String(fields.get('like') ?? '');
      const gone = await attempt(deleteLessonReaction, { params: { ...ids, reactionId: like } });
      return gone.ok ? done(args, undefined, target) : refused(gone.refusal);
    }
    case 'edit': {
      const lang = String(fields.get('lang') ?? locale);
      const changed =
        'reactionId' in params
          ? await attempt(updateLessonReaction, { params, body: { content: text } })
          : await attempt(updateLessonActivity, { params, body: { body: inLocales(text, lang) } });
      return changed.ok ? done(args, 'common.saved', target) : refused(changed.refusal);
    }
    case 'delete': {
      const gone =
        'reactionId' in params
          ? await attempt(deleteLessonReaction, { params })
          : await attempt(deleteLessonActivity, { params });
      return gone.ok ? done(args, 'learning.post_deleted', 'discussion') : refused(gone.refusal);
    }
    default:
      return data(null, { status: 400 });
  }
}

/** The API asks for English beside the language a contribution is written in. */
function inLocales(text: string, locale: string): Record<string, string> {
  return { en: text, [locale]: text };
}

/** The forms have one field, whatever the API calls it. */
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
