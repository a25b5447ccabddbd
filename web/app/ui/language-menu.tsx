import { Languages } from 'lucide-react';
import { useLocation } from 'react-router';
import { endonymOf } from '@officium/i18n/locales';
import { useLanguages } from '../site.ts';
import { useText } from '../text.tsx';
import { Endonym } from './endonym.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';

/** Changes the language of the site. A plain form, because the whole document changes language. */
export function LanguageMenu() {
  const { t, locale } = useText();
  return (
    <Menu
      name={t('common.language_change', { name: endonymOf(locale) })}
      label={
        <>
          <Icon as={Languages} />
          <span aria-hidden="true" className="hidden xl:inline">
            {endonymOf(locale)}
          </span>
        </>
      }
      summaryClassName="max-sm:px-2.5"
      panelClassName="w-64 sm:w-112"
    >
      <LanguageList />
    </Menu>
  );
}

/** The offered languages as buttons of one form. */
export function LanguageList({ isInline }: { isInline?: boolean }) {
  const { locale } = useText();
  const { pathname, search } = useLocation();
  const languages = useLanguages();
  return (
    <form method="post" action="/language" className={isInline ? 'flex flex-wrap gap-x-1' : 'grid sm:grid-cols-2'}>
      <input type="hidden" name="next" value={pathname + search} />
      {languages.map((code) => (
        <button
          key={code}
          name="locale"
          value={code}
          aria-current={code === locale ? 'true' : undefined}
          className={
            isInline
              ? `min-h-9 rounded px-2 underline-offset-4 hover:underline ${code === locale ? 'font-semibold underline decoration-marigold decoration-2' : ''}`
              : `menu-item ${code === locale ? 'border-s-4 border-marigold font-semibold' : ''}`
          }
        >
          <Endonym of={code} />
        </button>
      ))}
    </form>
  );
}
