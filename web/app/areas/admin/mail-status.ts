import { MAIL_STATUSES } from '@officium/contract/operations';

/** Which mails an address asks for: those that need a hand unless told. */
export function mailStatusOf(url: URL): (typeof MAIL_STATUSES)[number] {
  const given = url.searchParams.get('status');
  return MAIL_STATUSES.find((status) => status === given) ?? 'failed';
}
