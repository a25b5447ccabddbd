import type { ReactNode } from 'react';
import { Form, useLocation } from 'react-router';
import { SITE_PAGES, type SitePageKind } from '@officium/contract/site';
import { endonymOf, isLocale, type Locale } from '@officium/i18n/locales';
import { Admin } from '../../admin/admin.tsx';
import { useLanguages } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Tabs } from '../../ui/tabs.tsx';

export const PAGE_NAMES = {
  privacy: 'common.privacy',
  terms: 'common.terms',
  imprint: 'common.imprint',
  accessibility: 'common.accessibility',
} as const satisfies Record<SitePageKind, string>;

/** The language whose texts the page edits: `?language=`, else the reader's. */
export function languageOf(url: URL, locale: Locale): Locale {
  const asked = url.searchParams.get('language');
  return isLocale(asked) ? asked : locale;
}

/** The first tab has an address that begins the others. */
const isWithin = (pathname: string, to: string) =>
  pathname === to || (to !== '/admin/site' && pathname.startsWith(`${to}/`));

/** Frame of the settings of the site. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const { t } = useText();
  const { pathname } = useLocation();
  const tabs = [
    { to: '/admin/site', label: t('admin.site_look') },
    { to: '/admin/site/languages', label: t('admin.setup_languages') },
    { to: '/admin/site/certificate', label: t('admin.site_certificate') },
    { to: '/admin/site/notices', label: t('admin.notices') },
    ...SITE_PAGES.map((kind) => ({ to: `/admin/site/pages/${kind}`, label: t(PAGE_NAMES[kind]) })),
  ];
  return (
    <Admin
      title={t('admin.site')}
      intro={t('admin.site_text')}
      actions={
        <LinkButton to="/admin/setup" look="secondary">
          {t('admin.setup_open')}
        </LinkButton>
      }
    >
      <Tabs
        label={t('admin.site_sections')}
        tabs={tabs.map((tab) => ({ ...tab, isCurrent: isWithin(pathname, tab.to) }))}
      />
      <div className="mt-8">{children}</div>
    </Admin>
  );
}

/** Chooses the language whose texts are edited. */
export function LanguageChoice({ language, children }: { language: Locale; children?: ReactNode }) {
  const { t } = useText();
  const languages = useLanguages();
  const options = languages.includes(language) ? languages : [...languages, language];
  return (
    <Form role="search" className="flex flex-wrap items-end gap-4">
      <Select
        key={language}
        name="language"
        label={t('admin.site_language')}
        hideOptional
        defaultValue={language}
        options={options.map((value) => ({ value, label: endonymOf(value) }))}
      />
      <Button look="secondary">{t('admin.overview_show')}</Button>
      {children}
    </Form>
  );
}
