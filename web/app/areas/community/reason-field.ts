import { REPORT_REASONS, type ReportReason } from '@officium/contract/moderation';
import { textOf } from '../../form/fields.ts';

/** The reason chosen in a form. One that is none of them goes to the API as it is, which says what is wrong with it. */
export function reasonOf(fields: FormData): ReportReason {
  const chosen = textOf(fields, 'reason');
  return REPORT_REASONS.find((reason) => reason === chosen) ?? (undefined as unknown as ReportReason); // see above
}
