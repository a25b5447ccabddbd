import { z } from 'zod';
import { SlugParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { Price } from './price.ts';

/** Errors of these operations, with their status. */
export const paymentErrors = {
  'payments.not_for_sale': { status: 409, message: 'This journey cannot be bought here.' },
  'payments.has_place': { status: 409, message: 'You can start this journey without paying.' },
} as const;

export const PAYMENT_STATES = ['open', 'processing', 'paid', 'failed', 'expired', 'refunded', 'disputed'] as const;

/** A payment for a journey. */
export const Payment = z
  .object({
    id: Uuid,
    state: z
      .enum(PAYMENT_STATES)
      .describe(
        'open: not paid yet · processing: the bank has not confirmed it yet · paid: the person is enrolled · failed, expired: nothing was paid · refunded, disputed: paid back or contested, which ends the enrolment',
      ),
    price: Price,
    journey: z.object({
      title: z.string().describe('When it was bought'),
      courseSlug: z.string(),
      journeySlug: z.string(),
    }),
    createdAt: Timestamp,
    paidAt: Timestamp.nullable(),
  })
  .meta({ id: 'Payment' });
export type Payment = z.output<typeof Payment>;

const MyPayment = Payment.extend({
  payUrl: z.url().nullable().describe('The page at Stripe where I pay; null unless the payment is open'),
});

const SHARED = { service: 'learner', extension: true } as const;

export const buyJourney = endpoint({
  ...SHARED,
  name: 'buyJourney',
  method: 'POST',
  path: '/me/courses/{courseSlug}/journeys/{journeySlug}/payments',
  auth: 'user',
  summary: 'Buy a journey',
  description:
    'Opens a payment at Stripe, which is valid for an hour; returns the open one, if there is one. Stripe’s confirmation enrols the caller.',
  params: z.object({ courseSlug: SlugParam, journeySlug: SlugParam }),
  replies: { 201: MyPayment },
  errors: ['payments.not_for_sale', 'payments.has_place', 'request.conflict'],
});

export const readMyPayment = endpoint({
  ...SHARED,
  name: 'readMyPayment',
  method: 'GET',
  path: '/me/payments/{id}',
  auth: 'user',
  summary: 'Read one of my payments',
  description:
    'The state is the one that Stripe confirmed last. A narrowed session gets the courses of its token only.',
  params: z.object({ id: Uuid }),
  replies: { 200: MyPayment },
});

export const listPayments = endpoint({
  ...SHARED,
  name: 'listPayments',
  method: 'GET',
  path: '/people/{id}/payments',
  auth: 'admin',
  summary: "List a person's payments",
  description: 'Newest first, at most 200.',
  params: z.object({ id: Uuid }),
  replies: { 200: z.object({ payments: z.array(Payment) }) },
  errors: ['request.not_found'],
});
