import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startTwin } from './http-twin.ts';

export const PAYMENT_KEYS = { secretKey: 'sk_test_0123456789abcdef', webhookSecret: 'whsec_0123456789abcdef' };

/** A page at the provider, with the fields of its API that the product reads. */
export type Session = {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  amount_total: number;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string | null;
  url: string | null;
};
type Form = Record<string, string>;
type Respond = (response: ServerResponse) => void;

/** The ways in which the provider fails; each for one request. */
export const FAULTS = {
  tooMany: (response) => response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{}}'),
  broken: (response) => response.writeHead(500).end('sk_test_0123456789abcdef'),
  refused: (response) =>
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"error":{"type":"invalid_request_error","message":"Invalid API Key provided: sk_test_****"}}'),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"id":"cs_', () => response.destroy());
  },
  closes: (response) => void response.destroy(),
} satisfies Record<string, Respond>;

function fail(response: ServerResponse, status: number, type: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { type } }));
}

/** A local server that speaks the part of Stripe's protocol in use. */
export async function startPaymentProvider() {
  const sessions = new Map<string, Session>();
  const keys = new Map<string, { body: string; id: string }>();
  const requests: { method: string; path: string; form: Form; key: string | undefined }[] = [];
  const faults: Respond[] = [];

  function create(response: ServerResponse, form: Form, { key, body }: { key: string; body: string }): void {
    const known = keys.get(key);
    if (known && known.body !== body) return fail(response, 400, 'idempotency_error');
    const id = known?.id ?? `cs_test_${randomUUID().replaceAll('-', '')}`;
    if (!known) {
      keys.set(key, { body, id });
      sessions.set(id, {
        id,
        object: 'checkout.session',
        status: 'open',
        payment_status: 'unpaid',
        amount_total: Number(form['line_items[0][price_data][unit_amount]']) * Number(form['line_items[0][quantity]']),
        currency: form['line_items[0][price_data][currency]'] ?? '',
        metadata: { payment: form['metadata[payment]'] ?? '' },
        payment_intent: null,
        url: `${base}/pay/${id}`,
      });
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(sessions.get(id)));
  }

  const { port, close } = await startTwin((request, response, body) => {
    const path = request.url ?? '';
    const form = Object.fromEntries(new URLSearchParams(body));
    const key = request.headers['idempotency-key'];
    requests.push({ method: request.method ?? '', path, form, key: typeof key === 'string' ? key : undefined });
    const fault = faults.shift();
    if (fault) return fault(response);
    if (path.startsWith('/pay/')) return void response.setHeader('content-type', 'text/html').end('<h1>Pay</h1>');
    if (request.headers.authorization !== `Bearer ${PAYMENT_KEYS.secretKey}`)
      return fail(response, 401, 'invalid_request_error');
    if (request.method === 'POST' && path === '/v1/checkout/sessions' && typeof key === 'string')
      return create(response, form, { key, body });
    const session = sessions.get(path.replace('/v1/checkout/sessions/', ''));
    if (request.method === 'GET' && session)
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(session));
    fail(response, 404, 'invalid_request_error');
  });
  const base = `http://127.0.0.1:${port}`;

  return {
    base,
    requests,
    sessions,
    settings: {
      STRIPE_SECRET_KEY: PAYMENT_KEYS.secretKey,
      STRIPE_WEBHOOK_SECRET: PAYMENT_KEYS.webhookSecret,
      STRIPE_API_HOST: base,
    },
    /** Fails exactly the next requests. */
    failNext(...next: Respond[]) {
      faults.splice(0, faults.length, ...next);
    },
    /** The page of one of our payments; the caller may change it. */
    sessionOf(payment: string): Session {
      const found = [...sessions.values()].find(({ metadata }) => metadata['payment'] === payment);
      if (!found) throw new Error(`no page for payment ${payment}`);
      return found;
    },
    close,
  };
}

/** An event as the provider sends it: its body and the header that signs it. */
export function signedEvent(
  type: string,
  object: object,
  { id = `evt_${randomUUID()}`, secret = PAYMENT_KEYS.webhookSecret, at = Math.floor(Date.now() / 1000) } = {},
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ id, object: 'event', api_version: '2026-01-01', type, data: { object } });
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` } };
}
