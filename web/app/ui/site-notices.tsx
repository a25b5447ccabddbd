import { X } from 'lucide-react';
import { Form, useLocation } from 'react-router';
import type { PageNotice } from '../root-data.ts';
import { useText } from '../text.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';

/** The notices of the site, above every page. Not a live region: they are there before the reader comes. */
export function SiteNotices({ notices }: { notices: PageNotice[] }) {
  const { t } = useText();
  return (
    <section aria-label={t('common.notices')} className="page no-print grid gap-3 pt-4">
      {notices.map((notice) => (
        <SiteNotice key={notice.key} notice={notice} />
      ))}
    </section>
  );
}

function SiteNotice({ notice: { key, level, words, url } }: { notice: PageNotice }) {
  const { t, locale } = useText();
  const { pathname, search } = useLocation();
  const isWarning = level === 'warning';
  return (
    <Notice tone={isWarning ? 'danger' : 'info'}>
      <div className="flex items-start justify-between gap-x-4">
        <p className="min-w-0 max-w-prose wrap-anywhere">
          {isWarning ? <strong>{t('common.notice_warning')}: </strong> : null}
          <span lang={words.lang === locale ? undefined : words.lang} dir="auto">
            {words.text}
          </span>{' '}
          {/* Any path of this server, or another site. */}
          {url ? (
            <a href={url} className="link">
              {t('common.notice_more')}
            </a>
          ) : null}
        </p>
        {isWarning ? null : (
          <Form method="post" action="/dismiss-notice" preventScrollReset className="-my-2">
            <input type="hidden" name="notice" value={key} />
            <input type="hidden" name="next" value={pathname + search} />
            <button className="btn btn-quiet btn-small" aria-label={t('common.notice_dismiss')}>
              <Icon as={X} />
            </button>
          </Form>
        )}
      </div>
    </Notice>
  );
}
