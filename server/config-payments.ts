import { z } from 'zod';
import { isPrivateAddress, serviceAddress } from './config-values.ts';
import { ConfigError } from './errors.ts';
import type { PaymentSettings } from './outside/payment-provider.ts';

export const stripeKey = z.string().regex(/^[sr]k_[A-Za-z0-9_]{8,250}$/, 'must be a secret or restricted key');
export const stripeWebhookSecret = z
  .string()
  .regex(/^whsec_[\x21-\x7e]{8,250}$/, 'must be the signing secret of the webhook');
export const privateAddress = serviceAddress.refine(isPrivateAddress, 'must be an https address');

type Given = Partial<Record<'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_HOST', string | undefined>>;

/** The account at Stripe that takes payments; undefined without one. */
export function paymentsOf(settings: Given): PaymentSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_HOST } = settings;
  if (secretKey !== undefined && webhookSecret !== undefined)
    return { secretKey, webhookSecret, apiHost: STRIPE_API_HOST ?? 'https://api.stripe.com' };
  const others = Object.entries({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_HOST,
  });
  const [lone] = others.find(([, value]) => value !== undefined) ?? [];
  if (lone === undefined) return undefined;
  const missing = secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET';
  throw new ConfigError(`${missing}: is required with ${lone}`);
}
