import { Link } from 'react-router';
import { listSiteNotices } from '@officium/contract/site-notices';
import { loadAdmin } from '../../admin/load.ts';
import { wordsOf } from '../../site.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/notices.page';
import { AUDIENCES } from './notice-fields.tsx';
import { SiteFrame } from './site-frame.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context);
  const { notices } = await api(listSiteNotices);
  return { notices: notices.map((notice) => ({ ...notice, words: wordsOf(notice.texts, locale) })) };
}

export default function Notices({ loaderData: { notices } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <SiteFrame>
      <p className="mb-4 max-w-prose text-muted">{t('admin.notices_intro')}</p>
      <LinkButton to="/admin/site/notices/new">{t('admin.notice_new')}</LinkButton>
      {notices.length === 0 ? (
        <p className="mt-6 text-muted">{t('admin.notices_none')}</p>
      ) : (
        <ul className="mt-6 max-w-3xl divide-y divide-line border-y border-line">
          {notices.map(({ id, words, state, level, audience, startsAt, endsAt }) => (
            <li key={id} className="py-3">
              <Link
                to={`/admin/site/notices/${id}`}
                lang={words?.lang}
                dir="auto"
                className="link inline-block py-1.5 wrap-anywhere"
              >
                {words?.text}
              </Link>
              <p className="text-sm text-muted">
                {t(`admin.notice_state_${state}`)} · {level === 'warning' ? `${t('common.notice_warning')} · ` : null}
                {t(AUDIENCES[audience])} · <Time value={startsAt} look="exact" />
                {endsAt === null ? null : (
                  <>
                    {' – '}
                    <Time value={endsAt} look="exact" />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </SiteFrame>
  );
}
