import { useText } from '../text.tsx';

// As contract/moderation.ts has them, whose schemas are nothing for the browser.
export const REASONS = ['insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other'] as const;

/** What somebody said is wrong with a thing, to those who read it. */
export function useReasonText(): (reason: (typeof REASONS)[number]) => string {
  const { t } = useText();
  return (reason) => t(reason === 'other' ? 'thread.reason_else' : `thread.reason_${reason}`);
}
