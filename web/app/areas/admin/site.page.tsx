import { readDemoContent } from '@officium/contract/demo-content';
import { readSiteSettings, type SiteSettings, updateSiteSettings } from '@officium/contract/site-settings';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { data } from 'react-router';
import { loadAdmin } from '../../admin/load.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import type { Route } from './+types/site.page';
import { DemoLink } from './demo-content.tsx';
import { identityOf, NEW_LINKS } from './site-form.ts';
import { History } from './site-history.tsx';
import { ColourField, ContactField, NameField } from './site-look.tsx';
import { LanguageChoice, languageOf, SiteFrame } from './site-frame.tsx';
import { changeLogo, themeOf } from './site-logo.act.ts';
import { Logos } from './site-logos.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context);
  const [settings, demo] = await Promise.all([api(readSiteSettings), api(readDemoContent)]);
  return { settings, demo, language: languageOf(url, locale) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { api, attempt, fields, url, locale } = await act(request, context);
  const language = languageOf(url, locale);
  const version = Number(textOf(fields, 'version'));
  const intent = textOf(fields, 'intent');
  const settings = await api(readSiteSettings);
  const theme = themeOf(intent);
  if (theme) return await changeLogo({ attempt, fields, settings, theme, intent, back: '/admin/site' });
  const { identity, history } = settings;
  const earlier = history.find((one) => String(one.version) === textOf(fields, 'restore'));
  const isRestored = intent === 'restore';
  if (isRestored && !earlier) throw data(null, { status: 404 });
  const body = { version, identity: isRestored && earlier ? earlier.identity : identityOf(fields, identity, language) };
  const saved = await attempt(updateSiteSettings, { body });
  if (!saved.ok) return saved.refusal;
  return redirectWith(`/admin/site?language=${language}`, { key: isRestored ? 'admin.site_restored' : 'common.saved' });
}

export default function SitePage({ loaderData: { settings, demo, language } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('site');
  return (
    <SiteFrame>
      <LanguageChoice language={language} />
      <SmartForm key={`${language} ${settings.version}`} intent="site" className="mt-8 grid max-w-2xl gap-6">
        <GuardedDraft />
        <input type="hidden" name="version" value={settings.version} />
        <NameField settings={settings} />
        <ColourField settings={settings} />
        <ContactField settings={settings} />
        <Texts settings={settings} language={language} />
        <Links settings={settings} language={language} />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
      <div className="mt-12 border-t border-line pt-8">
        <Logos settings={settings} />
      </div>
      <DemoLink demo={demo} />
      <History settings={settings} />
    </SiteFrame>
  );
}

type InLanguage = { settings: SiteSettings; language: Locale };

function Texts({ settings: { identity }, language }: InLanguage) {
  const { t } = useText();
  const field = { lang: language, dir: 'auto' as const };
  return (
    <fieldset className="grid gap-6">
      <legend className="mb-1 font-serif text-2xl">{t('admin.site_texts', { language: endonymOf(language) })}</legend>
      <p className="max-w-prose text-sm text-muted">{t('admin.site_texts_hint')}</p>
      <Field
        {...field}
        name="identity.headline"
        label={t('admin.site_headline')}
        defaultValue={identity.headline[language] ?? ''}
        maxLength={120}
        autoComplete="off"
      />
      <TextArea
        {...field}
        name="identity.lead"
        label={t('admin.site_lead')}
        defaultValue={identity.lead[language] ?? ''}
        rows={3}
        maxLength={400}
      />
      <TextArea
        {...field}
        name="identity.note"
        label={t('admin.site_note')}
        defaultValue={identity.note[language] ?? ''}
        rows={2}
        maxLength={300}
      />
    </fieldset>
  );
}

function Links({ settings: { identity }, language }: InLanguage) {
  const { t } = useText();
  const rows: SiteSettings['identity']['links'] = [
    ...identity.links,
    ...Array.from({ length: NEW_LINKS }, () => ({ label: {}, url: '' })),
  ];
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-serif text-2xl">{t('admin.site_links')}</legend>
      <p className="max-w-prose text-sm text-muted">{t('admin.site_links_hint')}</p>
      {rows.map((link, at) => (
        <fieldset key={`${at} ${link.url}`} className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <legend className="sr-only">{t('admin.site_link', { number: at + 1 })}</legend>
          <Field
            name={`identity.links.${at}.label`}
            label={t('admin.site_link_label')}
            hideOptional
            defaultValue={link.label[language] ?? ''}
            lang={language}
            dir="auto"
            maxLength={60}
            autoComplete="off"
          />
          <Field
            name={`identity.links.${at}.url`}
            label={t('admin.site_link_url')}
            hideOptional
            defaultValue={link.url}
            dir="ltr"
            maxLength={500}
            autoComplete="off"
          />
        </fieldset>
      ))}
    </fieldset>
  );
}
