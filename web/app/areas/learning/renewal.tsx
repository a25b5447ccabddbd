import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { lessonPath, type MyJourney } from './learner.ts';

/** Begins the renewal of a certificate, or leads on with it. Nothing while it cannot be renewed. */
export function Renewal({ journey }: { journey: MyJourney }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('renew');
  const renewal = journey.validity?.renewal;
  if (renewal !== 'open' && renewal !== 'begun') return null;
  return (
    <section className="mt-10" aria-labelledby="renewal">
      <h2 id="renewal" className="text-2xl">
        {t('learning.renew')}
      </h2>
      {renewal === 'open' ? (
        <>
          <p className="mt-2 mb-4 max-w-prose text-muted">{t('learning.renew_text')}</p>
          <SmartForm intent="renew">
            <Button isBusy={isSubmitting}>{t('learning.renew_now')}</Button>
          </SmartForm>
        </>
      ) : (
        <Begun journey={journey} />
      )}
    </section>
  );
}

function Begun({ journey: { course, journeySlug, title, progress, nextLesson } }: { journey: MyJourney }) {
  const { t } = useText();
  return (
    <>
      <p className="mt-2 mb-4 max-w-prose text-muted">{t('learning.renew_begun_text')}</p>
      <div className="mb-5 max-w-md">
        <Progress
          label={t('learning.progress_of', { title })}
          value={progress.completedLessons}
          max={progress.mandatoryLessons}
          caption={t('learning.progress_caption', {
            completed: progress.completedLessons,
            count: progress.mandatoryLessons,
          })}
        />
      </div>
      {nextLesson ? (
        <LinkButton to={lessonPath(course.slug, journeySlug, nextLesson.slug)}>
          {t('learning.continue_with', { title: nextLesson.title })}
        </LinkButton>
      ) : null}
    </>
  );
}
