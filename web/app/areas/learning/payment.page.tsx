import { readMyPayment, type Payment } from '@officium/contract/payments';
import { loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import { usePrice } from '../../ui/price.tsx';
import type { Route } from './+types/payment.page';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadSignedIn(request, context);
  return {
    payment: await api(readMyPayment, { params: { id: params.id } }),
    hasReturned: url.searchParams.has('returned'),
  };
}

const TEXTS = {
  open: 'payment.text_open',
  processing: 'payment.text_processing',
  paid: 'payment.text_paid',
  failed: 'payment.text_failed',
  expired: 'payment.text_expired',
  refunded: 'payment.text_reversed',
  disputed: 'payment.text_reversed',
} as const satisfies Record<Payment['state'], string>;

/**
 * The state of a payment, before and after the visit to Stripe. A link leads there, because browsers block forms that
 * redirect to other sites (`form-action`).
 */
export default function PaymentPage({ loaderData: { payment, hasReturned } }: Route.ComponentProps) {
  const { t } = useText();
  const format = usePrice();
  const { state, journey, price, payUrl, id } = payment;
  const isWaiting = state === 'processing' || (state === 'open' && hasReturned);
  const title = t('payment.title', { title: journey.title });
  const course = `/courses/${encodeURIComponent(journey.courseSlug)}`;
  return (
    <div className="page max-w-2xl py-10 md:py-12">
      <Head title={title} isPrivate />
      <h1 className="text-4xl md:text-5xl">{title}</h1>
      <p className="mt-4 text-xl font-semibold">{t('payment.price', { price: format(price) })}</p>
      <p className="mt-4" role="status">
        {state === 'open' && hasReturned ? t('payment.text_returned') : t(TEXTS[state])}
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        {payUrl && !hasReturned ? (
          <LinkButton to={payUrl} reloadDocument>
            {t('payment.go')}
          </LinkButton>
        ) : null}
        {isWaiting ? (
          <LinkButton to={`/payments/${id}?returned=1`} reloadDocument>
            {t('payment.check')}
          </LinkButton>
        ) : null}
        <LinkButton to={`${course}#${encodeURIComponent(journey.journeySlug)}`} look="secondary">
          {t('learning.back_to_course')}
        </LinkButton>
      </div>
    </div>
  );
}
