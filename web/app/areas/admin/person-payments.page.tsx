import { Link } from 'react-router';
import { readPerson } from '@officium/contract/admin-people';
import { listPayments, type Payment } from '@officium/contract/payments';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { usePrice } from '../../ui/price.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/person-payments.page';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  const at = { params: { id: params.id } };
  const [{ id, name }, { payments }] = await Promise.all([api(readPerson, at), api(listPayments, at)]);
  return { person: { id, name }, payments };
}

const STATES = {
  open: 'payment.state_open',
  processing: 'payment.state_processing',
  paid: 'payment.state_paid',
  failed: 'payment.state_failed',
  expired: 'payment.state_expired',
  refunded: 'payment.state_refunded',
  disputed: 'payment.state_disputed',
} as const satisfies Record<Payment['state'], string>;

export default function PersonPayments({ loaderData: { person, payments } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <Admin
      title={t('payment.list')}
      crumb={
        <Link to={`/admin/people/${person.id}`} className="link inline-flex min-h-11 items-center">
          <bdi>{person.name}</bdi>
        </Link>
      }
    >
      {payments.length === 0 ? <p className="text-muted">{t('payment.none')}</p> : null}
      <ul className="max-w-3xl divide-y divide-line border-y border-line empty:hidden">
        {payments.map((payment) => (
          <Row key={payment.id} payment={payment} />
        ))}
      </ul>
      {payments.length === 0 ? null : <p className="mt-4 text-muted">{t('payment.refund_hint')}</p>}
    </Admin>
  );
}

function Row({ payment: { state, journey, price, createdAt } }: { payment: Payment }) {
  const { t } = useText();
  const format = usePrice();
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-3">
      <div className="min-w-0">
        <Link to={`/courses/${encodeURIComponent(journey.courseSlug)}`} className="link font-semibold">
          <bdi>{journey.title}</bdi>
        </Link>
        <p className="text-sm text-muted">
          <Time value={createdAt} look="exact" />
        </p>
      </div>
      <p>
        {format(price)} · {t(STATES[state])}
      </p>
    </li>
  );
}
