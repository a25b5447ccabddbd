import { addressOf } from '@officium/contract/client';
import type { CertificatePicture } from '@officium/contract/site';
import {
  previewCertificate,
  readSiteSettings,
  type SiteSettings,
  updateSiteSettings,
  uploadCertificatePicture,
} from '@officium/contract/site-settings';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { loadAdmin } from '../../admin/load.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act, refuse } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, FieldGroup, Select } from '../../ui/field.tsx';
import type { Route } from './+types/site-certificate.page';
import { CertificatePictures } from './certificate-pictures.tsx';
import { designOf, LAYOUTS, PICTURES, SIGNERS, toDesignIssues } from './certificate-design.ts';
import { LanguageChoice, languageOf, SiteFrame } from './site-frame.tsx';
import { isPicture, refusedUpload, unreadable } from './site-logo.act.ts';

const PATH = '/admin/site/certificate';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context);
  return {
    settings: await api(readSiteSettings),
    language: languageOf(url, locale),
    preview: addressOf(previewCertificate, { query: {} }),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { api, attempt, fields, url, locale } = await act(request, context);
  const { version, identity } = await api(readSiteSettings);
  const { certificate } = identity;
  const [intent = '', slot = ''] = textOf(fields, 'intent').split(' ');
  const back = redirectWith(`${PATH}${url.search}`, { key: 'common.saved' });
  if (slot in PICTURES) {
    const name = slot as CertificatePicture; // a key of that table
    if (intent === 'upload') {
      const file = fields.get('picture');
      if (!isPicture(file)) return refusedUpload(file, `upload ${slot}`);
      const uploaded = await attempt(uploadCertificatePicture, { params: { slot: name }, file });
      return uploaded.ok ? back : unreadable(uploaded, `upload ${slot}`);
    }
    const pictures = { ...certificate.pictures, [name]: null };
    const body = { version, identity: { ...identity, certificate: { ...certificate, pictures } } };
    const removed = await attempt(updateSiteSettings, { body });
    return removed.ok ? back : removed.refusal;
  }
  const design = designOf(fields, certificate, languageOf(url, locale));
  const body = { version: Number(textOf(fields, 'version')), identity: { ...identity, certificate: design } };
  const saved = await attempt(updateSiteSettings, { body });
  if (saved.ok) return back;
  const { message, issues } = saved.failure;
  return refuse({ message, issues: toDesignIssues(issues ?? []), values: Object.fromEntries(textsIn(fields)) });
}

const textsIn = (fields: FormData) =>
  [...fields].flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []));

export default function SiteCertificate({ loaderData: { settings, language, preview } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('design');
  return (
    <SiteFrame>
      <p className="mb-6 max-w-prose text-muted">{t('admin.site_certificate_text')}</p>
      <LanguageChoice language={language} />
      {/* A plain form: the preview opens a file in a new tab, which the router cannot do. */}
      <SmartForm
        key={`${language} ${settings.version}`}
        intent="design"
        reloadDocument
        className="mt-8 grid max-w-2xl gap-6"
      >
        <input type="hidden" name="version" value={settings.version} />
        <input type="hidden" name="locale" value={language} />
        <Look settings={settings} />
        <Signers settings={settings} language={language} />
        <div className="flex flex-wrap gap-3">
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
          <Button look="secondary" formMethod="get" formAction={preview} formTarget="_blank">
            {t('admin.site_certificate_preview')}
          </Button>
        </div>
      </SmartForm>
      <CertificatePictures pictures={settings.identity.certificate.pictures} />
    </SiteFrame>
  );
}

function Look({ settings: { identity, certificateColour } }: { settings: SiteSettings }) {
  const { t } = useText();
  const { layout, colour, showsLogo } = identity.certificate;
  return (
    <>
      <Select
        name="layout"
        label={t('admin.site_certificate_layout')}
        options={Object.entries(LAYOUTS).map(([value, key]) => ({ value, label: t(key) }))}
        defaultValue={layout}
        hideOptional
        className="max-w-xs"
      />
      <div>
        <Field
          name="colour"
          label={t('admin.site_certificate_colour')}
          hint={t('admin.site_certificate_colour_hint')}
          defaultValue={colour ?? ''}
          placeholder="#0b6e6e"
          maxLength={7}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          className="max-w-xs"
        />
        {certificateColour ? (
          <p className="mt-2 flex items-center gap-2 text-sm text-muted">
            <svg viewBox="0 0 28 28" width={28} height={28} aria-hidden="true">
              <rect width="28" height="28" rx="4" fill={certificateColour.shown} />
            </svg>
            <code>{certificateColour.shown}</code>
            {certificateColour.isAdjusted ? t('admin.site_accent_adjusted') : null}
          </p>
        ) : null}
      </div>
      <Checkbox name="showsLogo" label={t('admin.site_certificate_logo')} defaultChecked={showsLogo} />
    </>
  );
}

function Signers({ settings: { identity }, language }: { settings: SiteSettings; language: Locale }) {
  const { t } = useText();
  return SIGNERS.map((nth) => {
    const signature = identity.certificate.signatures[nth - 1];
    return (
      <FieldGroup key={nth} legend={t('admin.site_certificate_signature', { number: nth })}>
        <div className="grid gap-4 pt-2 sm:grid-cols-2">
          <Field
            name={`name${nth}`}
            label={t('admin.site_certificate_name')}
            defaultValue={signature?.name ?? ''}
            maxLength={80}
            dir="auto"
            autoComplete="off"
            hideOptional
          />
          <Field
            name={`office${nth}`}
            label={`${t('admin.site_certificate_office')} · ${endonymOf(language)}`}
            defaultValue={signature?.office[language] ?? ''}
            maxLength={120}
            lang={language}
            dir="auto"
            autoComplete="off"
            hideOptional
          />
        </div>
      </FieldGroup>
    );
  });
}
