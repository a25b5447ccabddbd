import { z } from 'zod';

export const Price = z
  .object({
    amount: z.int().min(1).describe('In the smallest unit of the currency'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe('ISO 4217'),
  })
  .meta({ id: 'Price' });
export type Price = z.output<typeof Price>;

/** Currencies whose smallest unit at Stripe differs from ISO 4217. */
const UNLIKE = new Set(['ISK', 'UGX']);

/** The digits after the point in amounts of a currency; undefined when no journey may have a price in it. */
function digitsOf(currency: string): number | undefined {
  if (UNLIKE.has(currency) || !Intl.supportedValuesOf('currency').includes(currency)) return undefined;
  const { maximumFractionDigits: digits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return digits === 0 || digits === 2 ? digits : undefined;
}

/** Reads `49.00 EUR` or `4900 JPY`; undefined when it is no price. */
export function parsePrice(text: string): Price | undefined {
  const [, whole = '', part, currency = ''] = /^(\d{1,6})(?:\.(\d{2}))? ([A-Z]{3})$/.exec(text) ?? [];
  const digits = digitsOf(currency);
  if (digits === undefined || (digits === 0 && part !== undefined)) return undefined;
  const amount = Number(whole) * 10 ** digits + Number(part ?? 0);
  return amount > 0 ? { amount, currency } : undefined;
}

/** A price as authors write it. */
export const PriceText = z
  .string()
  .trim()
  .refine((text) => parsePrice(text) !== undefined, 'Must be an amount and a currency, such as 49.00 EUR')
  .describe('Amount and currency, such as `49.00 EUR`');
