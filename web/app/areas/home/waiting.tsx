import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { Due } from '../../ui/due.tsx';
import { ValidUntil } from '../../ui/validity.tsx';
import type { Due as Dated, Ending, Request, Today } from './today.ts';

/** Requests the viewer can answer: to connect, and to join their communities. */
export function Waiting({ requests, joiners }: Pick<Today, 'requests' | 'joiners'>) {
  const { t, rich } = useText();
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="text-2xl">
        {t('home.waiting')}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {requests.map((request) => (
          <Asking key={request.peerId} request={request} />
        ))}
        {joiners.map(({ community, count }) => (
          <li key={community.slug} className="py-4">
            <Link to={`/communities/${community.slug}/members`} className="link inline-block py-1">
              {rich('home.community_requests', { count, community: <bdi>{community.title}</bdi> })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Asking({ request: { peerId, name, thumbnail, about, askedAt } }: { request: Request }) {
  const { t, rich } = useText();
  const intent = `connection-${peerId}`;
  const { isSubmitting } = useSubmitting(intent);
  return (
    <li className="flex gap-3 py-4">
      <Avatar name={name} src={thumbnail} size={40} />
      <div className="min-w-0 flex-1">
        <p>
          {rich('home.wants_to_connect', {
            name: (
              <Link to={`/people/${peerId}`} className="title-link font-semibold">
                <bdi>{name}</bdi>
              </Link>
            ),
          })}
        </p>
        <p className="text-sm text-muted">
          {about ? (
            <>
              <bdi>{about}</bdi> ·{' '}
            </>
          ) : null}
          <Time value={askedAt} />
        </p>
        <SmartForm intent={intent} className="mt-2.5 flex flex-wrap gap-2">
          <input type="hidden" name="peer" value={peerId} />
          <Button small name="answer" value="accepted" isBusy={isSubmitting}>
            {t('home.accept')}
            <span className="sr-only"> {name}</span>
          </Button>
          <Button small look="secondary" name="answer" value="declined" isBusy={isSubmitting}>
            {t('home.decline')}
            <span className="sr-only"> {name}</span>
          </Button>
        </SmartForm>
      </div>
    </li>
  );
}

/** The end of an enrolment, its due date or the renewal of its certificate. */
export function Ends({ ending }: { ending: Ending }) {
  const { rich } = useText();
  if ('validity' in ending) return <ValidUntil {...ending} />;
  if ('dueOn' in ending) return <Due {...ending} />;
  return <span>{rich('home.due', { when: <Time value={ending.endsAt} look="date" /> })}</span>;
}

/** Upcoming ends of enrolments and due dates. */
export function ComingUp({ due }: { due: Dated[] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="coming-up">
      <h2 id="coming-up" className="text-2xl">
        {t('home.due_dates')}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {due.map(({ title, course, ending }) => (
          <li key={`${course.slug}/${title}`} className="py-3">
            <Link to={`/courses/${course.slug}`} className="title-link font-semibold" dir="auto">
              {title}
            </Link>
            <p className="text-sm text-muted">
              <Ends ending={ending} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
