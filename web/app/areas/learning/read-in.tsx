import { Check, Languages } from 'lucide-react';
import { Link } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import { languageName } from '../../language-name.ts';
import { useText } from '../../text.tsx';
import { Endonym } from '../../ui/endonym.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';

type Props = { locales: readonly Locale[]; shown: Locale; path: string };

/** Language switch of a text; the language of the site stays. */
export function ReadIn({ locales, shown, path }: Props) {
  const { t } = useText();
  if (locales.length < 2) return null;
  if (locales.length > 5) {
    return (
      <Menu
        align="start"
        summaryClassName="btn-small -ms-3"
        name={t('learning.read_in')}
        label={
          <>
            <Icon as={Languages} size={18} />
            <Endonym of={shown} />
          </>
        }
      >
        <ul>
          {locales.map((code) => (
            <li key={code}>
              <LanguageLink {...{ code, shown, path }} className="menu-item" />
            </li>
          ))}
        </ul>
      </Menu>
    );
  }
  return (
    <nav aria-label={t('learning.read_in')} className="flex items-start gap-x-2">
      <Icon as={Languages} size={18} className="mt-2.25 text-muted" />
      <ul className="flex flex-wrap gap-x-1">
        {locales.map((code) => (
          <li key={code}>
            <LanguageLink
              {...{ code, shown, path }}
              className="inline-flex min-h-9 items-center gap-1 rounded px-1.5"
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function LanguageLink({ code, shown, path, className }: { code: Locale; className: string } & Omit<Props, 'locales'>) {
  const isShown = code === shown;
  return (
    <Link
      to={`${path}?lang=${code}`}
      lang={code}
      hrefLang={code}
      dir="auto"
      preventScrollReset
      replace
      aria-current={isShown ? 'true' : undefined}
      className={`${className} ${isShown ? 'font-semibold' : 'link'}`}
    >
      {isShown ? <Icon as={Check} size={16} /> : null}
      <Endonym of={code} />
    </Link>
  );
}

/** Notice when a text is not in the requested language. */
export function ShownInstead({ shown, wanted }: { shown: Locale; wanted: Locale }) {
  const { t, locale } = useText();
  if (shown === wanted) return null;
  return (
    <Notice>
      {t('learning.shown_instead', { shown: languageName(shown, locale), wanted: languageName(wanted, locale) })}
    </Notice>
  );
}

/** The languages an item is offered in, by their own names when there are few. */
export function OfferedIn({ locales }: { locales: readonly Locale[] }) {
  const { t } = useText();
  if (locales.length > 4) return <span>{t('learning.language_count', { count: locales.length })}</span>;
  return (
    <span>
      <span className="sr-only">{t('learning.offered_in')} </span>
      {locales.map((code, index) => (
        <span key={code}>
          {index > 0 ? <span aria-hidden="true"> · </span> : null}
          <Endonym of={code} />
          {index < locales.length - 1 ? <span className="sr-only">, </span> : null}
        </span>
      ))}
    </span>
  );
}
