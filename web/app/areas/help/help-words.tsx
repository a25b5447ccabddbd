import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';
import type { Guide } from './guides.ts';

export const GUIDE_NAMES = {
  learner: 'help.guide_learner',
  member: 'help.guide_member',
  author: 'help.guide_author',
  moderator: 'help.guide_moderator',
  administrator: 'help.guide_administrator',
  operator: 'help.guide_operator',
  integrator: 'help.guide_integrator',
  contributor: 'help.guide_contributor',
} as const satisfies Record<Guide, MessageKey>;

/** Tells readers of other languages that the guides are not in theirs. */
export function InEnglish() {
  const { t, locale } = useText();
  return locale === 'en' ? null : <p className="mt-2 max-w-2xl text-muted">{t('help.in_english')}</p>;
}
