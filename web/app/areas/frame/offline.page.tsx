import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { MAX_LESSONS, type SavedLesson } from '../../../worker/saved-lessons.ts';
import type { Handle } from '../../light/light.ts';
import { removeLesson, savedLessons } from '../../offline/offline.ts';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Route } from './+types/offline.page';

/** Only this device knows the lessons, and they are removed here. */
export const handle: Handle = { needsApp: true };

export function loader() {
  return { most: MAX_LESSONS };
}

/**
 * The lessons saved on this device. The service worker caches this page, fills in the list and serves it instead of any
 * page that cannot be fetched; `saved-only` then explains why.
 */
export default function Offline({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page py-12 md:py-20">
      <Head title={t('learning.offline_lessons')} isPrivate />
      <div className="max-w-2xl">
        <div className="saved-only">
          <span className="mb-5 inline-flex rounded-full bg-accent-soft p-4 text-accent">
            <Icon as={CloudOff} size={32} />
          </span>
          <h1 className="text-4xl md:text-5xl">{t('errors.offline_title')}</h1>
          <p className="unsent-only mt-4 text-lg font-semibold">{t('learning.offline_unsent')}</p>
          <p className="mt-4 text-lg text-muted">{t('errors.offline_text')}</p>
          <a href="" className="btn btn-primary mt-8">
            {t('common.retry')}
          </a>
          <h2 className="mt-14 mb-3 text-2xl">{t('learning.offline_lessons')}</h2>
        </div>
        <h1 className="needs-network mb-6 text-4xl md:text-5xl">{t('learning.offline_lessons')}</h1>
        <SavedList most={loaderData.most} />
        <p className="needs-network mt-8">
          <LinkButton to="/me/learning" look="secondary">
            {t('common.learning_mine')}
          </LinkButton>
        </p>
      </div>
    </div>
  );
}

function SavedList({ most }: { most: number }) {
  const { t } = useText();
  const [lessons, setLessons] = useState<SavedLesson[]>([]);
  useEffect(() => void savedLessons().then(setLessons), []);
  async function remove({ key }: SavedLesson) {
    await removeLesson(key);
    setLessons(await savedLessons());
    announce(t('learning.post_deleted'));
  }
  return (
    <div id="kept-lessons" className="text-lg">
      {lessons.length === 0 ? (
        <p className="text-muted">{t('learning.offline_none', { count: most })}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {lessons.map((lesson) => (
            <li key={lesson.key} className="flex items-center gap-3">
              <Link to={lesson.key} lang={lesson.lang} dir="auto" className="link min-w-0 flex-1 py-3">
                {lesson.title}
              </Link>
              <button type="button" className="btn btn-quiet btn-small" onClick={() => void remove(lesson)}>
                {t('common.delete')}
                <span className="sr-only"> {lesson.title}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
