import { BookOpen, CircleUserRound, Newspaper, Search, Users } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Form, Link, NavLink, useLocation, useNavigate } from 'react-router';
import type { Viewer } from '../server/page-context.ts';
import { forgetDrafts } from '../form/draft.ts';
import { isPublicServant } from '../public-servant.ts';
import { useText } from '../text.tsx';
import { Avatar } from './avatar.tsx';
import { Bell } from './bell.tsx';
import { Brand } from './brand.tsx';
import { Icon } from './icon.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { Menu } from './menu.tsx';

const PLACES = [
  { to: '/courses', label: 'common.learn', icon: BookOpen },
  { to: '/communities', label: 'common.communities', icon: Users },
  { to: '/articles', label: 'common.articles', icon: Newspaper },
] as const;

/** The page header. */
export function Header({ viewer }: { viewer: Viewer | null }) {
  const { t } = useText();
  return (
    <header className="no-print sticky top-0 z-30 border-b border-line bg-paper">
      <div className="page flex min-h-16 items-stretch gap-2 md:gap-6">
        <Link to="/" className="flex min-w-0 items-center">
          <Brand />
        </Link>
        <nav aria-label={t('common.main_navigation')} className="hidden md:flex">
          <ul className="flex items-stretch gap-6">
            {PLACES.map(({ to, label }) => (
              <li key={to} className="flex">
                <NavLink to={to} className="here flex items-center hover:text-accent aria-[current]:font-semibold">
                  {t(label)}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <SearchForm />
        <div className="ms-auto flex items-center lg:ms-0">
          <Link to="/search" className="btn btn-quiet text-ink max-sm:px-2.5 lg:hidden">
            <Icon as={Search} />
            <span className="sr-only">{t('search.title')}</span>
          </Link>
          <LanguageMenu />
          <Bell />
          {viewer ? <Signed viewer={viewer} /> : <Unsigned />}
        </div>
      </div>
    </header>
  );
}

function SearchForm() {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      // When the header has no room for the search field, the search page has one.
      const field = [input.current, document.getElementById('search-q')].find((one) => one?.offsetParent);
      if (field) field.focus();
      else void navigate('/search');
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [navigate]);
  return (
    <Form action="/search" role="search" aria-label={t('search.title')} className="ms-auto hidden items-center lg:flex">
      <div className="relative">
        <Icon as={Search} size={18} className="pointer-events-none absolute start-3 top-3.5 text-muted" />
        <input
          ref={input}
          type="search"
          name="q"
          aria-label={t('search.label')}
          aria-keyshortcuts="/"
          placeholder={t('search.title')}
          maxLength={200}
          className="input w-60 ps-10 xl:w-72"
        />
      </div>
    </Form>
  );
}

function Unsigned() {
  const { t } = useText();
  const { pathname, search } = useLocation();
  const here =
    pathname === '/' || pathname === '/login' || pathname === '/signup'
      ? ''
      : `?next=${encodeURIComponent(pathname + search)}`;
  return (
    <Link to={`/login${here}`} className="btn btn-primary ms-1 whitespace-nowrap max-md:hidden">
      {t('common.sign_in')}
    </Link>
  );
}

function Signed({ viewer }: { viewer: Viewer }) {
  const { t } = useText();
  return (
    <div className="hidden md:block">
      <Menu
        name={t('common.account_menu')}
        label={<Avatar name={viewer.name} src={viewer.thumbnail} size={36} />}
        summaryClassName="px-1"
      >
        <AccountLinks viewer={viewer} />
      </Menu>
    </div>
  );
}

function AccountLinks({ viewer }: { viewer: Viewer }) {
  const { t } = useText();
  return (
    <>
      <p className="border-b border-line px-3 pt-1 pb-2 font-semibold">
        <bdi>{viewer.name}</bdi>
      </p>
      <ul className="pt-1">
        <MenuLink to="/me">{t('common.profile')}</MenuLink>
        <MenuLink to="/me/connections">{t('people.connections')}</MenuLink>
        <MenuLink to="/me/learning">{t('common.learning_mine')}</MenuLink>
        <MenuLink to="/me/events">{t('events.my_events')}</MenuLink>
        {isPublicServant(viewer) ? <MenuLink to="/tasks">{t('task.title')}</MenuLink> : null}
        <MenuLink to="/notifications">{t('notification.title')}</MenuLink>
        <MenuLink to="/me/settings">{t('common.settings')}</MenuLink>
        <MenuLink to="/help">{t('help.title')}</MenuLink>
        {viewer.role === 'administrator' || viewer.capabilities.length > 0 ? (
          <MenuLink to="/admin">{t('common.administration')}</MenuLink>
        ) : null}
      </ul>
      <form method="post" action="/logout" onSubmit={forgetDrafts} className="mt-1 border-t border-line pt-1">
        <button className="menu-item">{t('common.sign_out')}</button>
      </form>
    </>
  );
}

function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className="menu-item">
        {children}
      </Link>
    </li>
  );
}

/** The main navigation at the bottom of phone screens. */
export function BottomBar({ viewer }: { viewer: Viewer | null }) {
  const { t } = useText();
  const item = 'flex h-16 w-full flex-col items-center justify-center gap-0.5 px-0.5 text-[0.75rem]';
  return (
    <nav
      aria-label={t('common.main_navigation')}
      className="no-print fixed inset-x-0 bottom-0 z-30 border-t border-line bg-paper pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex">
        {PLACES.map(({ to, label, icon }) => (
          <li key={to} className="min-w-0 flex-auto">
            <NavLink to={to} className={`here ${item} aria-[current]:font-semibold`}>
              <Icon as={icon} />
              <span className="max-w-full truncate">{t(label)}</span>
            </NavLink>
          </li>
        ))}
        <li className="min-w-0 flex-auto">
          {viewer ? (
            <Menu
              isUpward
              summaryClassName={`${item} rounded-none font-normal`}
              label={
                <>
                  <Avatar name={viewer.name} src={viewer.thumbnail} size={24} />
                  <span className="max-w-full truncate">{t('common.profile')}</span>
                </>
              }
            >
              <AccountLinks viewer={viewer} />
            </Menu>
          ) : (
            <NavLink to="/login" className={`here ${item} aria-[current]:font-semibold`}>
              <Icon as={CircleUserRound} />
              <span className="max-w-full truncate">{t('common.sign_in')}</span>
            </NavLink>
          )}
        </li>
      </ul>
    </nav>
  );
}
