import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { type Checkout, type PaymentEvent, PaymentsUnavailable } from '#server/outside/payment-provider.ts';
import * as repository from './payment.repository.ts';
import type { PaymentRow, PaymentState } from './payment.repository.ts';

/** The states that a page at Stripe may change. A reversal is final, and a payment is paid once. */
const OPEN_TO: Record<Checkout['state'], readonly PaymentState[]> = {
  open: [],
  processing: ['open'],
  paid: ['open', 'processing', 'failed', 'expired'],
  failed: ['open', 'processing'],
  expired: ['open'],
};

/** Applies an event of the payment provider, once. */
export async function applyEvent(ctx: Ctx, event: PaymentEvent): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const intent = event.kind === 'checkout' ? event.checkout.intent : event.intent;
    if (intent !== null) await repository.lockIntent(trx, intent);
    const { id, type } = event;
    const reversed = event.kind === 'checkout' ? null : event.intent;
    if (!(await repository.recordEvent(trx, { id, type, intent: reversed }))) return;
    if (event.kind === 'checkout') await settle(ctx, trx, event.checkout);
    else await reverse(trx, event);
  });
}

/** Applies the state of a page that Stripe was asked for. */
export async function applyCheckout(ctx: Ctx, checkout: Checkout): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (checkout.intent !== null) await repository.lockIntent(trx, checkout.intent);
    await settle(ctx, trx, checkout);
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The payment of a page, which must be the page of our own record at our own price. */
async function lockOwn(ctx: Ctx, db: Db, checkout: Checkout): Promise<PaymentRow | undefined> {
  const { payment: id } = checkout;
  if (id === null || !UUID.test(id)) return undefined; // of another product with the same account
  const payment = await repository.lockPayment(db, { id });
  if (!payment) return undefined;
  const isOwn =
    (payment.session_id === null || payment.session_id === checkout.id) &&
    payment.amount === checkout.amount &&
    payment.currency === checkout.currency;
  if (isOwn) return payment;
  ctx.log.error({ payment: id }, 'a payment differs from its record and was not applied');
  return undefined;
}

async function settle(ctx: Ctx, db: Db, checkout: Checkout): Promise<void> {
  const payment = await lockOwn(ctx, db, checkout);
  if (!payment || !OPEN_TO[checkout.state].includes(payment.state)) return;
  const { id } = payment;
  const intent = checkout.intent ?? undefined;
  if (checkout.state !== 'paid') return await repository.setState(db, id, { state: checkout.state, intent });
  const reversal = intent === undefined ? undefined : await repository.getReversal(db, intent);
  if (reversal) return await repository.setState(db, id, { state: reversal, intent, isPaid: true });
  const gave_place = await give(db, payment);
  await repository.setState(db, id, { state: 'paid', intent, gave_place, isPaid: true });
}

/** Enrols the person who paid; false when erased since, or enrolled already. */
async function give(db: Db, { user_id: userId, journey_key: journeyKey, locale }: PaymentRow): Promise<boolean> {
  return userId !== null && (await repository.enrolPaid(db, { userId, journeyKey, locale }));
}

/** A refund or dispute. That of an unknown payment was recorded for its completion. */
async function reverse(db: Db, event: { kind: 'refunded' | 'disputed'; intent: string }): Promise<void> {
  const payment = await repository.lockPayment(db, { intent: event.intent });
  if (!payment || payment.state === 'refunded') return;
  const { id, user_id: userId, journey_key: journeyKey } = payment;
  await repository.setState(db, id, { state: event.kind });
  if (payment.gave_place && userId !== null) await repository.endPaidPlace(db, { id, userId, journeyKey });
}

/** Payments that one run asks about. */
const AT_ONCE = 20;

/** Asks Stripe about open payments whose event may be lost. */
export async function checkPayments(ctx: Ctx): Promise<void> {
  await repository.expirePageless(ctx.db);
  const { paymentProvider: provider } = ctx;
  if (!provider) return;
  for (const { session_id: session } of await repository.takeUnchecked(ctx.db, AT_ONCE)) {
    try {
      await applyCheckout(ctx, await provider.readCheckout(session));
    } catch (error) {
      if (!(error instanceof PaymentsUnavailable)) throw error;
      ctx.log.warn({ reason: error.message }, 'payment provider'); // the next run asks again
      return;
    }
  }
}
