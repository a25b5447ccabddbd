import { REPORT_REASONS, type ReportReason } from '@officium/contract/moderation';
import { textOf } from './fields.ts';

/** The selected reason. An unknown one goes to the API as it is, which rejects it. */
export function reasonOf(fields: FormData): ReportReason {
  const chosen = textOf(fields, 'reason');
  return REPORT_REASONS.find((reason) => reason === chosen) ?? (undefined as unknown as ReportReason); // see above
}
