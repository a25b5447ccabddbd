import type { CertificateValidity } from '@officium/contract/renewals';
import type { z } from 'zod';
import { useText } from '../text.tsx';

export type Validity = z.output<typeof CertificateValidity>;

/** A day that ends in UTC, wherever the viewer is. */
export function UtcDay({ value }: { value: string }) {
  const { date } = useText();
  return <time dateTime={value.slice(0, 10)}>{date(value, { dateStyle: 'medium', timeZone: 'UTC' })}</time>;
}

/** The last day of a certificate, or the day by which to renew it. */
export function ValidUntil({ validity: { expiresAt, isExpired, renewal } }: { validity: Validity }) {
  const { rich } = useText();
  const date = <UtcDay value={expiresAt} />;
  if (isExpired) return <span className="font-semibold text-danger">{rich('learning.expired_on', { date })}</span>;
  return <span>{rich(renewal === 'closed' ? 'learning.valid_until' : 'learning.renew_by', { date })}</span>;
}
