import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';

const PAGES = [
  { to: '/me/settings', label: 'common.profile' },
  { to: '/me/settings/account', label: 'account.account' },
  { to: '/me/settings/security', label: 'account.security' },
  { to: '/me/settings/privacy', label: 'account.privacy' },
  { to: '/me/settings/notifications', label: 'notification.title' },
  { to: '/me/settings/following', label: 'follow.title' },
  { to: '/me/settings/sessions', label: 'account.sessions' },
] as const;

/** Frame of a settings page: navigation at the side, or above on small screens. */
export function Settings({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  const { t } = useText();
  return (
    <div className="page grid items-start gap-x-12 gap-y-8 py-10 md:grid-cols-[13rem_minmax(0,42rem)] md:py-14">
      <Head title={`${title} · ${t('common.settings')}`} isPrivate />
      <nav aria-label={t('common.settings')} className="md:sticky md:top-24">
        <ul className="divide-y divide-line border-y border-line md:divide-y-0 md:border-0">
          {PAGES.map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                className="flex min-h-11 items-center border-s-4 border-transparent px-3 hover:text-accent aria-[current]:border-marigold aria-[current]:font-semibold"
              >
                {t(label)}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <h1 className="text-4xl">{title}</h1>
        {intro ? <div className="mt-2 max-w-prose text-muted">{intro}</div> : null}
        {children}
      </div>
    </div>
  );
}
