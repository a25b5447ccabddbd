import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { Buy, useCanOffer } from './buy.tsx';
import type { CourseJourney, WayIn } from './learner.ts';

type Journey = Pick<CourseJourney, 'slug' | 'title' | 'canEnrol' | 'wayIn' | 'enrolment'> &
  Partial<Pick<CourseJourney, 'price' | 'canBuy'>>;
type Props = {
  journey: Journey;
  /** Address to return to after signing in. */ next: string;
  look?: 'primary' | 'secondary';
  label: string;
  /** Distinguishes two forms about the same journey. */
  place: string;
};

const WAYS = {
  verification: 'learning.way_verification',
  invitation: 'learning.way_invitation',
  payment: 'learning.way_payment',
} as const satisfies Partial<Record<WayIn, string>>;

/** How to join a journey: a button, or an explanation. */
export function Join({ journey, next, label, place, look = 'primary' }: Props) {
  const { t } = useText();
  const intent = `enrol-${place}-${journey.slug}`;
  const { isSubmitting } = useSubmitting(intent);
  const canOffer = useCanOffer(journey);
  const { status, expiresOn } = journey.enrolment ?? {};
  const isPending = status === 'pending' || status === 'created';
  if (isPending && !canOffer) return <p>{t('learning.place_pending')}</p>;
  return (
    <div className="space-y-3">
      {status === 'expired' ? <PlaceEnded on={expiresOn ?? null} /> : null}
      {journey.canEnrol ? (
        <SmartForm intent={intent}>
          <input type="hidden" name="journey" value={journey.slug} />
          <Button look={look} isBusy={isSubmitting} className="max-sm:w-full">
            {status === 'expired' ? t('learning.join_again') : label}
          </Button>
        </SmartForm>
      ) : canOffer && journey.price ? (
        <Buy slug={journey.slug} price={journey.price} canBuy={journey.canBuy === true} {...{ next, look, place }} />
      ) : journey.wayIn === 'sign-in' ? (
        <>
          <LinkButton to={`/login?next=${encodeURIComponent(next)}`} look={look} className="max-sm:w-full">
            {t('learning.sign_in_to_join')}
          </LinkButton>
          <p className="text-sm text-muted">{t('learning.way_sign_in')}</p>
        </>
      ) : (
        <HowToGetIn way={journey.wayIn} />
      )}
    </div>
  );
}

function PlaceEnded({ on }: { on: string | null }) {
  const { t, rich } = useText();
  return (
    <p>{on ? rich('learning.place_ended_on', { date: <Time value={on} look="date" /> }) : t('learning.place_ended')}</p>
  );
}

function HowToGetIn({ way }: { way: WayIn }) {
  const { t, rich } = useText();
  if (way === 'open' || way === 'sign-in') return null;
  return (
    <div>
      <h3 className="font-sans text-base font-semibold">{t('learning.way_title')}</h3>
      <p className="mt-1 text-muted">
        {rich(WAYS[way], {
          link: (children) => (
            <Link to="/me/settings" className="link">
              {children}
            </Link>
          ),
        })}
      </p>
    </div>
  );
}
