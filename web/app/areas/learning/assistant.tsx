import { MessageCircleQuestionMark } from 'lucide-react';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Assistant as AssistantData } from './assistant.load.ts';

/** Loaded only for signed-in viewers. */
export const Conversation = lazyPart(async () => (await import('./assistant-conversation.tsx')).Conversation);

type Props = {
  /** null for visitors. */
  assistant: AssistantData | null;
  /** Language of the lesson when it differs from the page's. */
  lang: string | undefined;
};

/** Questions about a lesson, answered with linked passages of it. */
export function Assistant({ assistant, lang }: Props) {
  const { t } = useText();
  const { pathname, search } = useLocation();
  return (
    <aside
      id="assistant"
      aria-labelledby="assistant-title"
      className="no-print needs-network mt-12 max-w-read min-w-0 scroll-mt-28 lg:col-start-2 xl:sticky xl:col-start-3 xl:row-span-2 xl:row-start-1 xl:mt-0 xl:top-16 xl:max-h-[calc(100dvh-4rem)] xl:self-start xl:overflow-y-auto xl:px-1 xl:py-14"
    >
      <h2 id="assistant-title" className="flex items-center gap-2.5 text-2xl">
        <Icon as={MessageCircleQuestionMark} className="text-accent" />
        {t('learning.assistant_title')}
      </h2>
      <p className="mt-1.5 text-sm text-muted">
        {t(assistant?.hasModel ? 'learning.assistant_lead_model' : 'learning.assistant_lead')}
      </p>
      {assistant ? (
        <Suspense>
          <Conversation.Part assistant={assistant} lang={lang} />
        </Suspense>
      ) : (
        <p className="mt-3">
          <Link to={`/login?next=${encodeURIComponent(pathname + search)}`} className="link inline-block py-1.5">
            {t('learning.assistant_sign_in')}
          </Link>
        </p>
      )}
    </aside>
  );
}
