import type { Price } from '@officium/contract/price';
import { useText } from '../text.tsx';

/** Formats a price in the language of the page. */
export function usePrice(): (price: Price) => string {
  const { number } = useText();
  return ({ amount, currency }) => {
    const format = { style: 'currency', currency } as const;
    const digits = new Intl.NumberFormat('en', format).resolvedOptions().maximumFractionDigits ?? 0;
    return number(amount / 10 ** digits, format);
  };
}
