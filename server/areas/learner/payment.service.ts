import type { Locale } from '@officium/contract/common';
import { isShutOutOfCourse } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { PaymentsUnavailable, type PaymentProvider } from '#server/outside/payment-provider.ts';
import { pagePath } from '#server/page-address.ts';
import { pickText } from '#server/text/localised.ts';
import { journeyAccess } from './course-access.service.ts';
import type { JourneySlugs } from './enrolment.service.ts';
import * as repository from './payment.repository.ts';
import { applyCheckout } from './payment-event.service.ts';
import type { PaymentRow } from './payment.repository.ts';

const MINUTE_MS = 60_000;

/** Stripe's failures as the caller sees them. */
async function reached<T>(ctx: Ctx, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PaymentsUnavailable)) throw error;
    ctx.log.warn({ reason: error.message }, 'payment provider');
    throw new AppError('server.unavailable', {
      retryAfterSeconds: 60,
      message: 'The payment service does not answer. Nothing was charged.',
    });
  }
}

/** The price of a journey that the viewer may buy now. Throws otherwise. */
async function requirePrice(ctx: Ctx, actor: UserViewer, { courseSlug, journeySlug }: JourneySlugs) {
  const ref = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { journey } = await journeyAccess(ctx.db, actor, ref);
  if (journey.enrolment?.status === 'enrolled' || journey.canEnrol) throw new AppError('payments.has_place');
  if (journey.price === null) throw new AppError('payments.not_for_sale');
  if (!journey.canBuy) throw new AppError('auth.forbidden');
  return { journey, price: journey.price };
}

/** Asks for the page of a payment. The same payment always gets the same page. */
async function openPage(ctx: Ctx, provider: PaymentProvider, payment: PaymentRow): Promise<PaymentRow> {
  const { id, title, amount, currency } = payment;
  const checkout = await reached(ctx, () =>
    provider.openCheckout({
      id,
      title,
      amount,
      currency,
      expiresAt: new Date(payment.created_at.getTime() + repository.OPEN_MINUTES * MINUTE_MS),
      returnUrl: ctx.config.publicUrl + pagePath(['payment', id]),
    }),
  );
  if (checkout.url === null) throw new AppError('request.conflict'); // paid or closed in another tab
  const page = { session_id: checkout.id, pay_url: checkout.url };
  await repository.setPage(ctx.db, id, page);
  return { ...payment, ...page };
}

/** Opens a payment for a journey, or returns the open one. Not in a transaction: it asks Stripe. */
export async function buyJourney(
  ctx: Ctx,
  actor: UserViewer,
  { locale, ...slugs }: JourneySlugs & { locale: Locale },
): Promise<PaymentRow> {
  const { journey, price } = await requirePrice(ctx, actor, slugs);
  const { paymentProvider: provider } = ctx;
  if (!provider) throw new AppError('payments.not_for_sale');
  const own = { user_id: actor.id, journey_key: journey.key };
  await repository.expirePageless(ctx.db);
  const before = await repository.getUnsettled(ctx.db, own);
  if (before?.session_id && (await repository.isOver(ctx.db, before.id))) {
    const { session_id: session } = before;
    await applyCheckout(ctx, await reached(ctx, () => provider.readCheckout(session)));
    await requirePrice(ctx, actor, slugs);
  }
  const payment = await repository.openPayment(ctx.db, {
    ...own,
    title: pickText(journey.title, locale).text,
    locale,
    amount: price.amount,
    currency: price.currency,
  });
  if (!payment) throw new AppError('request.conflict'); // settled in another tab
  return payment.state === 'processing' || payment.pay_url !== null ? payment : await openPage(ctx, provider, payment);
}

/** One of the viewer's payments. Throws 404 for those of others. */
export async function readMyPayment(ctx: Ctx, actor: UserViewer, id: string): Promise<PaymentRow> {
  const payment = await repository.getPayment(ctx.db, id);
  if (!payment || payment.user_id !== actor.id || isShutOutOfCourse(actor, payment.course_slug)) throw notFound();
  return payment;
}

/** A person's payments, for administrators. */
export async function listPayments(ctx: Ctx, userId: string): Promise<PaymentRow[]> {
  if (!(await getUser(ctx.db, userId))) throw notFound();
  return await repository.findPaymentsOf(ctx.db, userId);
}
