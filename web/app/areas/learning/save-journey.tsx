import { CloudDownload } from 'lucide-react';
import { useState } from 'react';
import type { Locale } from '@officium/i18n/locales';
import { useViewerId } from '../../offline/offline.ts';
import { useText } from '../../text.tsx';
import { saveLesson } from '../../offline/worker-messages.ts';
import { announce } from '../../ui/announce.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { inLanguage } from './languages.ts';
import { lessonPath, type OutlineSection } from './learner.ts';

type Props = {
  course: string;
  journey: string;
  sections: readonly OutlineSection[];
  lang: Locale | undefined;
  titleLang: Locale | undefined;
};
type State = { done: number } | 'kept' | 'failed' | null;

/** Saves every accessible lesson of a journey on this device, one after another. */
export function SaveJourney({ course, journey, sections, lang, titleLang }: Props) {
  const { t, locale } = useText();
  const person = useViewerId();
  const [state, setState] = useState<State>(null);
  const lessons = sections.flatMap((section) => section.lessons).filter(({ readable }) => readable);
  if (person === undefined || lessons.length < 2) return null;
  const isBusy = state !== null && typeof state === 'object';

  async function keep(whose: string) {
    let failed = 0;
    for (const [done, { slug, title }] of lessons.entries()) {
      setState({ done });
      const url = inLanguage(lessonPath(course, journey, slug), lang);
      if (!(await saveLesson({ person: whose, url, title, lang: titleLang ?? locale }))) failed += 1;
    }
    setState(failed ? 'failed' : 'kept');
    announce(failed ? t('learning.offline_failed') : t('learning.offline_kept_journey'));
  }

  return (
    <div className="needs-network mt-6 border-t border-line pt-3 text-sm">
      {state === 'kept' ? (
        <p className="text-success">{t('learning.offline_kept_journey')}</p>
      ) : (
        <Button type="button" look="quiet" small className="-ms-3" isBusy={isBusy} onClick={() => void keep(person)}>
          <Icon as={CloudDownload} size={18} />
          {isBusy
            ? t('learning.offline_keeping', { done: state.done, count: lessons.length })
            : t('learning.offline_keep')}
        </Button>
      )}
      {state === 'failed' ? <p className="mt-1 text-danger">{t('learning.offline_failed')}</p> : null}
    </div>
  );
}
