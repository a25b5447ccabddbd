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
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/site.page';
import { identityOf, NEW_LINKS } from './site-form.ts';
import { LanguageChoice, languageOf, SiteFrame } from './site-frame.tsx';
import { changeLogo, themeOf } from './site-logo.act.ts';
import { Logos } from './site-logos.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context);
  return { settings: await api(readSiteSettings), language: languageOf(url, locale) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { api, attempt, fields, url, locale } = await act(request, context);
  const language = languageOf(url, locale);
  const version = Number(textOf(fields, 'version'));
  const intent = textOf(fields, 'intent');
  const settings = await api(readSiteSettings);
  const theme = themeOf(intent);
  if (theme) return await changeLogo({ attempt, fields, settings, theme, intent });
  const { identity, history } = settings;
  const earlier = history.find((one) => String(one.version) === textOf(fields, 'restore'));
  const isRestored = intent === 'restore';
  if (isRestored && !earlier) throw data(null, { status: 404 });
  const body = { version, identity: isRestored && earlier ? earlier.identity : identityOf(fields, identity, language) };
  const saved = await attempt(updateSiteSettings, { body });
  if (!saved.ok) return saved.refusal;
  return redirectWith(`/admin/site?language=${language}`, { key: isRestored ? 'admin.site_restored' : 'common.saved' });
}

export default function SitePage({ loaderData: { settings, language } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('site');
  return (
    <SiteFrame>
      <LanguageChoice language={language} />
      <SmartForm key={`${language} ${settings.version}`} intent="site" className="mt-8 grid max-w-2xl gap-6">
        <GuardedDraft />
        <input type="hidden" name="version" value={settings.version} />
        <Look settings={settings} />
        <Texts settings={settings} language={language} />
        <Links settings={settings} language={language} />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
      <Logos settings={settings} />
      <History settings={settings} />
    </SiteFrame>
  );
}

function Look({ settings: { identity, shownName, nameIsFixed, colours } }: { settings: SiteSettings }) {
  const { t } = useText();
  return (
    <>
      {nameIsFixed ? (
        <p className="max-w-prose">{t('admin.site_name_fixed', { name: shownName })}</p>
      ) : (
        <Field
          name="identity.name"
          label={t('admin.site_name')}
          hint={t('admin.site_name_hint')}
          defaultValue={identity.name ?? ''}
          placeholder={shownName}
          maxLength={60}
          dir="auto"
          autoComplete="off"
        />
      )}
      <div>
        <Field
          name="identity.accent"
          label={t('admin.site_accent')}
          hint={t('admin.site_accent_hint')}
          defaultValue={identity.accent ?? ''}
          placeholder="#0b6e6e"
          maxLength={7}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          className="max-w-xs"
        />
        {colours ? (
          <>
            <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
              <Swatch label={t('admin.site_accent_light')} colour={colours.light} paper="#fbfaf7" />
              <Swatch label={t('admin.site_accent_dark')} colour={colours.dark} paper="#13152a" />
            </ul>
            {colours.isAdjusted ? <p className="mt-2 text-sm text-muted">{t('admin.site_accent_adjusted')}</p> : null}
          </>
        ) : null}
      </div>
      <Field
        name="identity.contact"
        type="email"
        label={t('admin.site_contact')}
        hint={t('admin.site_contact_hint')}
        defaultValue={identity.contact ?? ''}
        maxLength={254}
        autoComplete="off"
      />
    </>
  );
}

/** A colour on the paper of its theme. Drawn, because styles in the page are refused. */
function Swatch({ label, colour, paper }: { label: string; colour: string; paper: string }) {
  return (
    <li className="flex items-center gap-2">
      <svg viewBox="0 0 56 28" width={56} height={28} aria-hidden="true" className="rounded border border-line">
        <rect width="56" height="28" fill={paper} />
        <rect x="8" y="7" width="40" height="14" rx="4" fill={colour} />
      </svg>
      {label}: <code>{colour}</code>
    </li>
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

function History({ settings: { version, history } }: { settings: SiteSettings }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting('restore');
  const earlier = history.filter((one) => one.version !== version);
  if (earlier.length === 0) return null;
  return (
    <details className="mt-12 max-w-2xl border-t border-line pt-4">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">{t('admin.site_history')}</summary>
      <ul className="mt-2">
        {earlier.map((one) => (
          <li
            key={one.version}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-2"
          >
            <span>
              {rich('admin.site_version', {
                version: one.version,
                date: <Time key="date" value={one.changedAt} look="exact" />,
              })}
              {one.identity.name ? (
                <>
                  {' · '}
                  <bdi>{one.identity.name}</bdi>
                </>
              ) : null}
            </span>
            <SmartForm intent="restore">
              <input type="hidden" name="version" value={version} />
              <input type="hidden" name="restore" value={one.version} />
              <Button look="quiet" isBusy={isSubmitting}>
                {t('admin.site_restore')}
              </Button>
            </SmartForm>
          </li>
        ))}
      </ul>
    </details>
  );
}
