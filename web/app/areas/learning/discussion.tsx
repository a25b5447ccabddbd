import { Link, useLocation } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { TranslationsProvider } from '../../ui/translated.tsx';
import { DiscussionPost } from './discussion-post.tsx';
import type { Talk } from './discussion.load.ts';
import { PictureAddress, TextForm } from './text-form.tsx';

type Props = {
  course: string;
  question: string | null;
  questionLang: Locale | undefined;
  canOpen: boolean;
  talk: Talk;
};

/** The discussion of a lesson: an opening question, contributions and replies. */
export function Discussion({ course, question, questionLang, canOpen, talk }: Props) {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const pageAt = (offset: number | null) => {
    if (offset === null) return undefined;
    const query = new URLSearchParams(search);
    if (offset) query.set('from', String(offset));
    else query.delete('from');
    return `${pathname}?${query}#discussion`;
  };
  return (
    <PictureAddress value={talk.picturesTo}>
      <section
        id="discussion"
        tabIndex={-1}
        aria-labelledby="discussion-title"
        className="no-print mt-14 scroll-mt-24 focus-visible:shadow-none focus-visible:outline-none"
      >
        <p className="eyebrow">{t('learning.discussion')}</p>
        <h2
          id="discussion-title"
          className="mt-1 text-3xl"
          lang={question ? questionLang : undefined}
          dir={question && questionLang ? 'auto' : undefined}
        >
          {question ?? t('learning.discussion_title')}
        </h2>
        {canOpen ? (
          <TextForm act="start" label={t('learning.contribution_label')} className="mt-5">
            {(isBusy) => (
              <Button look="secondary" isBusy={isBusy}>
                {t('learning.contribution_send')}
              </Button>
            )}
          </TextForm>
        ) : null}
        <Threads talk={talk} />
        <Pagination previous={pageAt(talk.later)} next={pageAt(talk.earlier)} />
        <p className="mt-6 flex flex-wrap gap-x-6 text-sm text-muted">
          {talk.canModerate ? (
            <Link to={`/moderation/courses/${course}`} className="link">
              {t('thread.reports')}
            </Link>
          ) : null}
          <Link to="/communities" className="link">
            {t('learning.discussion_elsewhere')}
          </Link>
        </p>
      </section>
    </PictureAddress>
  );
}

function Threads({ talk }: { talk: Talk }) {
  const { t } = useText();
  if (talk.threads.length === 0)
    return <p className="mt-8 border-t border-line pt-6 text-muted">{t('learning.discussion_empty')}</p>;
  return (
    <>
      <p className="mt-9 text-sm text-muted">{t('learning.contributions', { count: talk.total })}</p>
      <ol className="mt-2 divide-y divide-line border-y border-line">
        <TranslationsProvider value={talk.translations}>
          {talk.threads.map((thread) => (
            <li key={thread.id} className="py-6">
              <DiscussionPost thread={thread} />
            </li>
          ))}
        </TranslationsProvider>
      </ol>
    </>
  );
}
