import { Suspense } from 'react';
import { data } from 'react-router';
import { startAttempt } from '@officium/contract/assessments';
import { completeLesson, enrolMyself, readLesson } from '@officium/contract/learner';
import { act, load, type Failure } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useViewerId } from '../../offline/offline.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/lesson.page';
import { AssessmentPanel } from './assessment.tsx';
import { attemptPath } from './attempt.ts';
import { answerQuestion } from './answer.act.ts';
import { converse } from './assistant.act.ts';
import { readQuestions, toAssistant } from './assistant.load.ts';
import { Assistant, Conversation } from './assistant.tsx';
import { loadPictureFields } from '../../editor/lazy-picture-fields.tsx';
import { type LessonIds, readDiscussion } from './discussion.load.ts';
import { discuss } from './discussion.act.ts';
import { chosenLanguage, inLanguage } from './languages.ts';
import { certificatePath, isWhole, LESSON_TEXT, lessonPath, nextLesson } from './learner.ts';
import { LessonFoot } from './lesson-foot.tsx';
import { LessonHead } from './lesson-head.tsx';
import { OutlineSheet, OutlineSide } from './lesson-outline.tsx';
import { LessonKeys } from './lesson-keys.tsx';
import { LessonText } from './lesson-text.tsx';

const Discussion = lazyPart(async () => (await import('./discussion.tsx')).Discussion);

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const args = await load(request, context);
  const { attempt, viewer, locale, url } = args;
  const lang = chosenLanguage(url);
  const wanted = lang ?? locale;
  const asking = { ...pathOf(params), locale: wanted };
  const known = viewer ? idsByPath.get(url.pathname) : undefined;
  const [found, questions, early] = await Promise.all([
    attempt(readLesson, { params: pathOf(params), query: { locale: wanted } }),
    viewer && !viewer.limited ? readQuestions(args, asking) : null,
    known && viewer ? readDiscussion(args, known, viewer.id) : null,
  ]);
  if (!found.ok) throw elsewhere(found.failure, params.course, request, url);
  const { course, journey, lesson } = found.body;
  const ids = { courseId: course.id, journeyId: journey.id, lessonId: lesson.id };
  if (lesson.discussion) remember(url.pathname, ids);
  const isEarly =
    known?.lessonId === ids.lessonId && known.journeyId === ids.journeyId && known.courseId === ids.courseId;
  const [talk] = await Promise.all([
    lesson.discussion && viewer ? (isEarly ? early : readDiscussion(args, ids, viewer.id)) : null,
    Conversation.load(),
    Discussion.load(),
    loadPictureFields(),
  ]);
  const assistant = questions && toAssistant(questions, asking, url, lesson.html);
  return { course, journey, lesson, lang, wanted, talk, assistant };
}

/** The ids of lessons with discussions by path, so that both are read at once. The reads check access themselves. */
const idsByPath = new Map<string, LessonIds>();
const MAX_PATHS = 2_000;

function remember(path: string, ids: LessonIds): void {
  if (idsByPath.size >= MAX_PATHS) idsByPath.clear();
  idsByPath.set(path, ids);
}

type Params = Route.LoaderArgs['params'];

function pathOf({ course, journey, lesson }: Params) {
  return { courseSlug: course, journeySlug: journey, lessonSlug: lesson };
}

/**
 * Redirects from a lesson the viewer cannot open to where they can get access. The service worker, which asks by HEAD,
 * gets the status itself: it cannot see where a redirect leads.
 */
function elsewhere(
  failure: Failure,
  course: string,
  { method }: Request,
  url: URL,
): Response | ReturnType<typeof data> {
  if (method === 'HEAD') return data(null, { status: failure.status });
  if (failure.status === 401) return redirect(`/login?next=${encodeURIComponent(url.pathname)}`);
  if (failure.status === 403) return redirectWith(`/courses/${course}`, { key: 'learning.join_first', tone: 'info' });
  return data(failure, { status: failure.status });
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const args = await act(request, context);
  const { attempt, fields, locale, url } = args;
  const intent = String(fields.get('intent') ?? '');
  const path = pathOf(params);
  if (intent.startsWith('enrol-')) {
    const { courseSlug, journeySlug } = path;
    const joined = await attempt(enrolMyself, { body: { courseSlug, journeySlug, locale } });
    return joined.ok ? redirectWith(url.pathname + url.search, { key: 'learning.joined_here' }) : joined.refusal;
  }
  if (intent === 'complete') {
    const done = await attempt(completeLesson, { params: path });
    if (!done.ok) return done.refusal;
    return afterCompletion(args, path);
  }
  if (intent === 'start-attempt') {
    const started = await attempt(startAttempt, { params: path, body: { locale: chosenLanguage(url) ?? locale } });
    if (!started.ok) return started.refusal;
    return redirect(attemptPath(path.courseSlug, path.journeySlug, path.lessonSlug, started.body.id));
  }
  if (intent === 'answer') return answerQuestion(args, path);
  if (intent === 'ask' || intent.startsWith('forget')) return converse(args, path, intent);
  return discuss(args, path);
}

/** The next lesson or, at the end of the journey, the certificate or what is left. */
async function afterCompletion(
  { api, locale, url, fields }: Awaited<ReturnType<typeof act>>,
  path: ReturnType<typeof pathOf>,
) {
  const { journey, lesson } = await api(readLesson, { params: path, query: { locale } });
  const { courseSlug, journeySlug } = path;
  const isJustDone = isWhole(journey.enrolment?.completedAt, journey) && !fields.has('wasDone');
  if (isJustDone) return redirectWith(certificatePath(courseSlug, journeySlug), { key: 'learning.journey_completed' });
  const next = lesson.next ?? nextLesson(journey.sections);
  if (!next || next.slug === lesson.slug) return redirect(url.pathname + url.search);
  return redirect(inLanguage(lessonPath(courseSlug, journeySlug, next.slug), chosenLanguage(url)));
}

export default function LessonPage({ loaderData }: Route.ComponentProps) {
  const { course, journey, lesson, lang, wanted, talk, assistant } = loaderData;
  const { t, locale } = useText();
  const shown = lesson.shownLocale ?? locale;
  const titleLang = shown === locale ? undefined : shown;
  const previous = lesson.previous && inLanguage(lessonPath(course.slug, journey.slug, lesson.previous.slug), lang);
  const next = lesson.next && inLanguage(lessonPath(course.slug, journey.slug, lesson.next.slug), lang);
  const person = useViewerId();
  const outline = { course, journey, current: lesson.slug, lang, titleLang };
  return (
    <>
      <Head
        title={`${lesson.title} · ${course.title}`}
        description={t('learning.lesson_of', { journey: journey.title, course: course.title })}
        pictureTitle={lesson.title}
        type="article"
        isPrivate={!lesson.preview}
      />
      <LessonKeys previous={previous} next={next} />
      <OutlineSheet {...outline} />
      <div className="page grid gap-x-14 lg:grid-cols-[16.5rem_minmax(0,1fr)] xl:grid-cols-[13.5rem_minmax(0,1fr)_17rem] xl:grid-rows-[auto_1fr] xl:gap-x-9 print:block">
        <OutlineSide {...outline} />
        <div className="min-w-0 max-w-read pt-8 lg:pt-14 print:py-0">
          <article data-person={person}>
            <div className="saved-only mb-8">
              <Notice>{t('learning.offline_copy')}</Notice>
            </div>
            <LessonHead {...{ course, journey, lesson, wanted, lang, titleLang }} />
            <div id={LESSON_TEXT} className="mt-8 font-serif [&_table]:font-sans [&_table]:text-base">
              {lesson.html ? (
                <LessonText html={lesson.html} lang={titleLang} />
              ) : (
                <p className="text-muted">{t('learning.lesson_empty')}</p>
              )}
            </div>
            <AssessmentPanel {...{ course, journey, lesson }} />
          </article>
          <LessonFoot {...{ course, journey, lesson, previous, next }} />
        </div>
        {lesson.html ? <Assistant assistant={assistant} lang={titleLang} /> : null}
        <div className="min-w-0 max-w-read pb-8 lg:col-start-2 lg:pb-14">
          {lesson.discussion && talk ? (
            <Suspense>
              <Discussion.Part
                course={course.slug}
                question={lesson.discussion.question}
                canOpen={lesson.discussion.canOpen}
                talk={talk}
                questionLang={titleLang}
              />
            </Suspense>
          ) : null}
        </div>
      </div>
    </>
  );
}
