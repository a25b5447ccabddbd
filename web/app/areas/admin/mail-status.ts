import { MAIL_STATUSES } from '@officium/contract/operations';

/** Reads the mail status from the address; failed mails by default. */
export function mailStatusOf(url: URL): (typeof MAIL_STATUSES)[number] {
  const given = url.searchParams.get('status');
  return MAIL_STATUSES.find((status) => status === given) ?? 'failed';
}
