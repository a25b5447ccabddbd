import type { ReactNode } from 'react';
import { Link, NavLink, useLocation, useRouteLoaderData } from 'react-router';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { Head } from '../ui/head.tsx';
import { useScrollToCurrent } from '../ui/scroll-to-current.ts';
import { Notice } from '../ui/notice.tsx';
import { areasOf, guideOf } from './areas.ts';

type Props = {
  title: string;
  intro?: ReactNode;
  /** Actions of the page, beside its title. */
  actions?: ReactNode;
  /** Breadcrumb, for pages below one of the sections. */
  crumb?: ReactNode;
  children: ReactNode;
};

/** Frame of an administration page: navigation at the side, or above on narrow screens. */
export function Admin({ title, intro, actions, crumb, children }: Props) {
  const { t } = useText();
  const areas = useScrollToCurrent<HTMLUListElement>();
  const viewer = useRouteLoaderData<RootData>('root')?.viewer;
  const { pathname } = useLocation();
  return (
    <div className="page grid items-start gap-x-10 gap-y-6 py-6 md:py-10 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <Head title={`${title} · ${t('admin.title')}`} isPrivate />
      <nav aria-label={t('admin.sections')} className="no-print min-w-0 lg:sticky lg:top-24">
        <ul ref={areas} className="flex gap-x-1 overflow-x-auto border-b border-line lg:block lg:border-0">
          {(viewer ? areasOf(viewer) : []).map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === '/admin'}
                className="flex min-h-11 items-center border-b-4 border-transparent px-3 whitespace-nowrap lg:whitespace-normal hover:text-accent aria-[current]:border-marigold aria-[current]:font-semibold lg:border-s-4 lg:border-b-0"
              >
                {t(label)}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        {crumb}
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <h1 className="text-4xl wrap-anywhere">{title}</h1>
          <div className="flex flex-wrap items-center gap-3">
            <Link to={`/help/${guideOf(pathname)}`} className="link no-print inline-flex min-h-11 items-center">
              {t('help.title')}
            </Link>
            {actions}
          </div>
        </div>
        {intro ? <div className="mt-2 max-w-prose text-muted">{intro}</div> : null}
        <FactorNotice />
        <div className="mt-8">{children}</div>
      </div>
    </div>
  );
}

/** On the first page: recommends a second factor to administrators, even where it is optional. */
function FactorNotice() {
  const { rich } = useText();
  const { pathname } = useLocation();
  const viewer = useRouteLoaderData<RootData>('root')?.viewer;
  if (pathname !== '/admin' || !viewer?.secondFactorDue) return null;
  return (
    <div className="mt-6 max-w-prose">
      <Notice>
        {rich('admin.people_factor_notice', {
          link: (words) => (
            <Link className="link" to="/me/settings/security">
              {words}
            </Link>
          ),
        })}
      </Notice>
    </div>
  );
}
