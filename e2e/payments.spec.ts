import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../server/test/cluster.ts';
import { signedEvent, startPaymentProvider } from '../server/test/payment-provider.ts';
import { axeFaults } from './axe.ts';
import { startDemo, type DemoProduct } from './demo.ts';
import { callApi } from './newcomer.ts';
import { isTooWide, PASSWORD, visit, type Visit } from './visitor.ts';

const COURSE = '/courses/plain-language';
const SELL = `update journeys set privacy = 'stripe-public', price = '49.00 EUR'
  from courses c where c.id = journeys.course_id and c.slug = 'plain-language'`;

const LEAVE = `delete from journey_enrolments e using journeys j, courses c
  where j.key = e.journey_key and c.id = j.course_id and c.slug = 'plain-language'`;

/** A person of the demo without a place in the course. */
async function visitAsLearner({ url, databaseUrl }: DemoProduct, options = {}): Promise<Visit> {
  await query(databaseUrl, LEAVE);
  const visitor = await visit({ baseURL: url, ...options });
  await callApi(visitor.context, 'POST', '/api/auth/logins', { email: 'learner@example.gov', password: PASSWORD });
  return visitor;
}

let provider: Awaited<ReturnType<typeof startPaymentProvider>>;
let product: DemoProduct;
beforeAll(async () => {
  provider = await startPaymentProvider();
  product = await startDemo(provider.settings);
  await query(product.databaseUrl, SELL);
});
afterAll(async () => {
  await product.stop();
  await provider.close();
});

/** Pays on the page of the provider, which then tells the product. */
async function pay(id: string): Promise<void> {
  const session = provider.sessionOf(id);
  Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${id}`, url: null });
  const event = signedEvent('checkout.session.completed', session);
  const answer = await fetch(`${product.url}/api/payments/events`, { method: 'POST', ...event });
  expect(answer.status).toBe(200);
}

describe('a paid journey', () => {
  it.each([true, false])('is bought and begun, with JavaScript: %s', async (javaScriptEnabled) => {
    const { page, context, faults } = await visitAsLearner(product, { javaScriptEnabled });
    await page.goto(COURSE);
    await page.getByRole('button', { name: 'Buy for €49.00' }).first().click();
    await page.waitForURL(/\/payments\//);
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('link', { name: 'Pay at Stripe' }).click();
    await page.waitForURL(`${provider.base}/pay/**`);
    await page.goto(`/payments/${id}?returned=1`);
    await page.getByText('We are waiting for Stripe').waitFor();
    await pay(id);
    await page.getByRole('link', { name: 'Check again' }).click();
    await page.getByText('Your payment has arrived.').waitFor();
    await page.getByRole('link', { name: 'Back to the course' }).click();
    // The learner of the demo has completed lessons before.
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Continue/ })
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('asks visitors to sign in, and fits a narrow screen in Arabic', async () => {
    const { page, context } = await visit({ baseURL: product.url, viewport: { width: 320, height: 700 } });
    await page.goto(`${COURSE}?locale=en`);
    await page.getByText('Price: €49.00').first().waitFor();
    expect(await page.getByRole('link', { name: 'Sign in to buy' }).first().getAttribute('href')).toContain(
      '/login?next=',
    );
    await page.goto(`${COURSE}?locale=ar`);
    expect(await isTooWide(page)).toBe(false);
    await context.close();
  });

  it('says how to get in where no payments are taken', async () => {
    const plain = await startDemo();
    await query(plain.databaseUrl, SELL);
    const { page, context } = await visitAsLearner(plain);
    await page.goto(COURSE);
    await page.getByText('This journey requires payment. Ask your organisation').first().waitFor();
    expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0);
    await context.close();
    await plain.stop();
  });
});
