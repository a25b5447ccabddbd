import { buyJourney, listPayments, readMyPayment } from '@officium/contract/payments';
import type { FastifyInstance } from 'fastify';
import { administrators, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { implement } from '#server/http/implement.ts';
import { UnsignedEvent } from '#server/outside/payment-provider.ts';
import { applyEvent } from './payment-event.service.ts';
import * as payments from './payment.service.ts';
import { toMyPayment, toPayment } from './payment.view.ts';

/** Stripe's largest events are a few dozen kilobytes. */
const EVENT_BYTES = 256 * 1024;

export function paymentRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, buyJourney, {
    policy: people,
    keyed: false, // a payment is opened before Stripe is asked, and once without a key too
    limitByAccount: { max: 30, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, params, locale }) =>
      toMyPayment(await payments.buyJourney(ctx, viewer, { ...params, locale })),
  });

  implement(app, root, readMyPayment, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => toMyPayment(await payments.readMyPayment(ctx, viewer, params.id)),
  });

  implement(app, root, listPayments, {
    policy: administrators,
    handle: async ({ ctx, params }) => ({ payments: (await payments.listPayments(ctx, params.id)).map(toPayment) }),
  });

  eventRoutes(app, root);
}

/** The signature covers the bytes of the body, so they are kept as they came. Not an operation: Stripe alone calls it. */
function eventRoutes(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    raw.post('/api/payments/events', { bodyLimit: EVENT_BYTES, config: { isData: true } }, async (request, reply) => {
      const { paymentProvider: provider } = ctx;
      if (!provider) throw notFound();
      const signature = request.headers['stripe-signature'];
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) throw new AppError('auth.wrong_key');
      const event = readEvent(() => provider.readEvent(request.body as Buffer, signature)); // checked just before
      if (event) await applyEvent(ctx, event);
      return reply.header('cache-control', 'no-store').send({ received: true });
    });
  });
}

function readEvent<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnsignedEvent) throw new AppError('auth.wrong_key');
    throw error;
  }
}
