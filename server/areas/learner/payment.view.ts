import type { ReplyOf } from '@officium/contract/endpoint';
import type { Payment, readMyPayment } from '@officium/contract/payments';
import type { PaymentRow } from './payment.repository.ts';

export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    state: row.state,
    price: { amount: row.amount, currency: row.currency },
    journey: { title: row.title, courseSlug: row.course_slug, journeySlug: row.journey_slug },
    createdAt: row.created_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
  };
}

/** A payment for the person who pays. */
export function toMyPayment(row: PaymentRow): ReplyOf<typeof readMyPayment> {
  return { ...toPayment(row), payUrl: row.state === 'open' ? row.pay_url : null };
}
