import type { ReactNode } from 'react';
import { Form, useLocation } from 'react-router';
import { SITE_PAGES, type SitePageKind } from '@officium/contract/site';
import { endonymOf, isLocale, type Locale, LOCALES } from '@officium/i18n/locales';
import { Admin } from '../../admin/admin.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
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

/** Frame of the settings of the site. */
export function SiteFrame({ children }: { children: ReactNode }) {
  const { t } = useText();
  const { pathname } = useLocation();
  const tabs = [
    { to: '/admin/site', label: t('admin.site_look') },
    ...SITE_PAGES.map((kind) => ({ to: `/admin/site/pages/${kind}`, label: t(PAGE_NAMES[kind]) })),
  ];
  return (
    <Admin title={t('admin.site')} intro={t('admin.site_text')}>
      <Tabs label={t('admin.site_sections')} tabs={tabs.map((tab) => ({ ...tab, isCurrent: tab.to === pathname }))} />
      <div className="mt-8">{children}</div>
    </Admin>
  );
}

/** Chooses the language whose texts are edited. */
export function LanguageChoice({ language, children }: { language: Locale; children?: ReactNode }) {
  const { t } = useText();
  return (
    <Form role="search" className="flex flex-wrap items-end gap-4">
      <Select
        key={language}
        name="language"
        label={t('admin.site_language')}
        hideOptional
        defaultValue={language}
        options={LOCALES.map((value) => ({ value, label: endonymOf(value) }))}
      />
      <Button look="secondary">{t('admin.overview_show')}</Button>
      {children}
    </Form>
  );
}
