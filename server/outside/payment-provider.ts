import Stripe from 'stripe';

export type PaymentSettings = { secretKey: string; webhookSecret: string; apiHost: string };

/** A payment to open. Everything sent follows from it, so that a repeated call gets the same page. */
export type Order = {
  /** Our payment; also the idempotency key. */
  id: string;
  title: string;
  amount: number;
  currency: string;
  expiresAt: Date;
  returnUrl: string;
};

/** A payment page at the provider. */
export type Checkout = {
  id: string;
  /** Our payment, as sent with the order. */
  payment: string | null;
  url: string | null;
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  amount: number | null;
  currency: string | null;
  /** The money's own id, which refunds and disputes name. */
  intent: string | null;
};

/** A confirmed event of the provider; null for the kinds that change nothing here. */
export type PaymentEvent = { id: string; type: string } & (
  { kind: 'checkout'; checkout: Checkout } | { kind: 'refunded' | 'disputed'; intent: string }
);

/** The provider gave no usable answer. Contains nothing that was sent or received. */
export class PaymentsUnavailable extends Error {
  constructor(detail: string) {
    super(`the payment provider is unavailable: ${detail}`);
    this.name = 'PaymentsUnavailable';
  }
}

/** The event is not signed with our secret, or its signature is too old. */
export class UnsignedEvent extends Error {
  constructor() {
    super('the event is not signed by the payment provider');
    this.name = 'UnsignedEvent';
  }
}

export type PaymentProvider = {
  openCheckout(order: Order): Promise<Checkout>;
  readCheckout(id: string): Promise<Checkout>;
  /** Checks the signature of an event and returns it. Throws UnsignedEvent. */
  readEvent(body: Buffer, signature: string): PaymentEvent | null;
};

const TIMEOUT_MS = 10_000;
/** The oldest signature that is accepted, in seconds. */
const TOLERANCE = 300;

const idOf = (value: string | { id: string } | null | undefined) =>
  typeof value === 'string' ? value : (value?.id ?? null);

function toCheckout(session: Stripe.Checkout.Session): Checkout {
  const { id, status, payment_status: paid } = session;
  const state =
    status === 'expired' ? 'expired' : status !== 'complete' ? 'open' : paid === 'unpaid' ? 'processing' : 'paid';
  return {
    id,
    payment: session.metadata?.['payment'] ?? null,
    url: session.url ?? null,
    state,
    amount: session.amount_total ?? null,
    currency: session.currency?.toUpperCase() ?? null,
    intent: idOf(session.payment_intent),
  };
}

function toEvent(event: Stripe.Event): PaymentEvent | null {
  const { id, type } = event;
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return { id, type, kind: 'checkout', checkout: toCheckout(event.data.object) };
    case 'checkout.session.async_payment_failed':
      return { id, type, kind: 'checkout', checkout: { ...toCheckout(event.data.object), state: 'failed' } };
    case 'charge.refunded': {
      const intent = idOf(event.data.object.payment_intent);
      return event.data.object.refunded && intent !== null ? { id, type, kind: 'refunded', intent } : null;
    }
    case 'charge.dispute.created': {
      const intent = idOf(event.data.object.payment_intent);
      return intent === null ? null : { id, type, kind: 'disputed', intent };
    }
    default:
      return null;
  }
}

/** Errors of the library carry parts of requests and answers; only their kind goes on. */
async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { type, statusCode } = (error ?? {}) as { type?: unknown; statusCode?: unknown }; // only read
    throw new PaymentsUnavailable(`${String(type ?? 'unknown')} ${String(statusCode ?? '')}`.trim());
  }
}

export function openPaymentProvider({ secretKey, webhookSecret, apiHost }: PaymentSettings): PaymentProvider {
  const { hostname, port, protocol } = new URL(apiHost);
  const stripe = new Stripe(secretKey, {
    host: hostname,
    ...(port === '' ? {} : { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  return {
    openCheckout: (order) =>
      asked(async () => {
        const metadata = { payment: order.id };
        const price = {
          currency: order.currency.toLowerCase(),
          unit_amount: order.amount,
          product_data: { name: order.title },
        };
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: order.id,
            metadata,
            payment_intent_data: { metadata },
            line_items: [{ quantity: 1, price_data: price }],
            expires_at: Math.floor(order.expiresAt.getTime() / 1000),
            success_url: `${order.returnUrl}?returned=1`,
            cancel_url: order.returnUrl,
          },
          { idempotencyKey: `payment-${order.id}` },
        );
        return toCheckout(session);
      }),
    readCheckout: (id) => asked(async () => toCheckout(await stripe.checkout.sessions.retrieve(id))),
    readEvent(body, signature) {
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE);
      } catch {
        throw new UnsignedEvent();
      }
      return toEvent(event);
    },
  };
}
