import { data, Link } from 'react-router';
import { readLesson } from '@officium/contract/learner';
import { readLessonActivity } from '@officium/contract/lesson-discussions';
import { shareLessonActivity } from '@officium/contract/lesson-shares';
import type { Locale } from '@officium/i18n/locales';
import { act, load, loadSignedIn, type Api } from '../../server/api.ts';
import { placesToShare, refuseShare, resultOf, shareOf } from '../../server/share.ts';
import { useText } from '../../text.tsx';
import { SharePage } from '../../ui/share-form.tsx';
import type { Route } from './+types/discussion-share.page';
import { lessonPath } from './learner.ts';

type Params = Route.LoaderArgs['params'];

async function openLesson(api: Api, { course, journey, lesson }: Params, locale: Locale) {
  const params = { courseSlug: course, journeySlug: journey, lessonSlug: lesson };
  const found = await api(readLesson, { params, query: { locale } });
  const ids = { courseId: found.course.id, journeyId: found.journey.id, lessonId: found.lesson.id };
  return { title: found.lesson.title, lang: found.lesson.shownLocale ?? undefined, ids };
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const args = await loadSignedIn(request, context);
  const { api, locale } = args;
  const { title, lang, ids } = await openLesson(api, params, locale);
  const [discussion, places] = await Promise.all([
    api(readLessonActivity, { params: { ...ids, activityId: params.id } }),
    placesToShare(args),
  ]);
  // Only its author may share it, who may also edit it.
  if (!discussion.can.edit) throw data(null, { status: 403 });
  return {
    lesson: { title, lang, path: lessonPath(params.course, params.journey, params.lesson) },
    id: params.id,
    places,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const { viewer, locale } = await load(request, context);
  const { ids } = await openLesson(api, params, locale);
  const sent = shareOf(fields);
  const done = await attempt(shareLessonActivity, { params: { ...ids, activityId: params.id }, body: sent });
  if (!done.ok) return refuseShare(done.failure, fields);
  const places = viewer ? await placesToShare({ api, attempt, viewer, locale }) : [];
  return data({ result: resultOf(done.body, { sent, places, locale }) });
}

export default function ShareDiscussion({ loaderData, actionData }: Route.ComponentProps) {
  const { lesson, id, places } = loaderData;
  const { t, rich } = useText();
  const to = `${lesson.path}#post-${id}`;
  return (
    <SharePage
      what={rich('learning.share_what', {
        lesson: (
          <Link to={to} className="link" lang={lesson.lang}>
            <bdi>{lesson.title}</bdi>
          </Link>
        ),
      })}
      hint={t('learning.share_hint')}
      none={t('learning.share_none_text')}
      back={{ to, label: t('learning.share_back') }}
      places={places}
      result={actionData && 'result' in actionData ? actionData.result : undefined}
    />
  );
}
