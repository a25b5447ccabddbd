import { useRouteLoaderData } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { usePrice } from '../../ui/price.tsx';
import type { CourseJourney } from './learner.ts';

type Props = {
  slug: string;
  price: NonNullable<CourseJourney['price']>;
  canBuy: boolean;
  /** Address to return to after signing in. */ next: string;
  look: 'primary' | 'secondary';
  place: string;
};

/** Whether the page offers a paid journey to this visitor: to buy, or to sign in first. */
export function useCanOffer({ price, canBuy }: { price?: unknown; canBuy?: boolean }): boolean {
  const root = useRouteLoaderData<RootData>('root');
  return Boolean(price) && (canBuy === true || root?.viewer === null);
}

/** The price of a journey and the way to pay it. */
export function Buy({ slug, price, canBuy, next, look, place }: Props) {
  const { t } = useText();
  const format = usePrice();
  const intent = `buy-${place}-${slug}`;
  const { isSubmitting } = useSubmitting(intent);
  if (!canBuy)
    return (
      <>
        <p className="font-semibold">{t('payment.price', { price: format(price) })}</p>
        <LinkButton to={`/login?next=${encodeURIComponent(next)}`} look={look} className="max-sm:w-full">
          {t('payment.sign_in')}
        </LinkButton>
      </>
    );
  return (
    <SmartForm intent={intent}>
      <input type="hidden" name="journey" value={slug} />
      <Button look={look} isBusy={isSubmitting} className="max-sm:w-full">
        {t('payment.buy', { price: format(price) })}
      </Button>
    </SmartForm>
  );
}
