import { useText } from '../text.tsx';

// Copied from contract/moderation.ts, because importing it would bring its schemas into the browser.
export const REASONS = ['insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other'] as const;

/** The text of a report reason, for those who read the report. */
export function useReasonText(): (reason: (typeof REASONS)[number]) => string {
  const { t } = useText();
  return (reason) => t(reason === 'other' ? 'thread.reason_else' : `thread.reason_${reason}`);
}
