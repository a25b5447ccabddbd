import { data, isRouteErrorResponse, Link, type ShouldRevalidateFunctionArgs } from 'react-router';
import { readAttempt, saveAnswer, submitAttempt } from '@officium/contract/assessments';
import { readLesson } from '@officium/contract/learner';
import { redirectWith } from '../../form/flash.ts';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/attempt.page';
import { answerIn, type SaveResult } from './attempt.ts';
import { AttemptForm } from './attempt-form.tsx';
import { AttemptResult } from './attempt-result.tsx';
import { isWhole, lessonPath } from './learner.ts';

type Params = Route.LoaderArgs['params'];

const lessonOf = ({ course, journey, lesson }: Params) => ({
  courseSlug: course,
  journeySlug: journey,
  lessonSlug: lesson,
});
const attemptOf = (params: Params) => ({ ...lessonOf(params), attemptId: params.id });

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  const [page, attempt] = await Promise.all([
    api(readLesson, { params: lessonOf(params), query: { locale } }),
    api(readAttempt, { params: attemptOf(params) }),
  ]);
  const { course, journey, lesson } = page;
  const isDone = isWhole(journey.enrolment?.completedAt, journey);
  return { course, journey: { slug: journey.slug, isWhole: isDone }, lesson, attempt };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields, url } = await act(request, context);
  const save = (number: number) =>
    attempt(saveAnswer, {
      params: { ...attemptOf(params), number: String(number) },
      body: answerIn(fields, number),
    });
  if (fields.get('intent') === 'answer') {
    const number = Number(fields.get('number'));
    const done = await save(number);
    const result: SaveResult = done.ok ? { saved: number } : { problem: done.failure.message };
    return data(result, { status: done.ok ? 200 : done.failure.status });
  }
  // The answers of an attempt that has ended are refused, and the page then shows its result.
  for (let number = 1; number <= Number(fields.get('count')); number++) {
    const done = await save(number);
    if (!done.ok && done.failure.code !== 'learner.attempt_ended') return done.refusal;
  }
  if (fields.get('intent') !== 'submit') return redirectWith(url.pathname, { key: 'assessment.saved_all' });
  await api(submitAttempt, { params: attemptOf(params) });
  return redirect(url.pathname);
}

/** A failed network leaves the page as it is, with its answers. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    // The server answered; anything else is a failure of the network.
    if (error instanceof Response || isRouteErrorResponse(error)) throw error;
    return { isOffline: true } satisfies SaveResult;
  }
}

/** Saving one answer changes nothing else on the page. */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formData?.get('intent') === 'answer' ? false : defaultShouldRevalidate;
}

export default function AttemptPage({ loaderData }: Route.ComponentProps) {
  const { course, journey, lesson, attempt } = loaderData;
  const { t } = useText();
  const back = lessonPath(course.slug, journey.slug, lesson.slug);
  return (
    <div className="page max-w-read py-8 lg:py-14">
      <Head title={`${t('assessment.attempt_of', { title: lesson.title })} · ${course.title}`} isPrivate />
      <p>
        <Link to={back} className="link inline-flex min-h-11 items-center" lang={lesson.titleLocale}>
          {lesson.title}
        </Link>
      </p>
      <h1 className="mt-2 text-3xl">{t(attempt.endedAt ? 'assessment.result' : 'assessment.title')}</h1>
      {attempt.endedAt ? (
        <AttemptResult {...{ course, journey, lesson, attempt }} />
      ) : (
        <AttemptForm key={attempt.id} attempt={attempt} />
      )}
    </div>
  );
}
