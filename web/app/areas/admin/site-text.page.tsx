import { SITE_PAGES } from '@officium/contract/site';
import { readSitePageTexts, updateSitePage } from '@officium/contract/site-settings';
import { endonymOf } from '@officium/i18n/locales';
import { data, Link } from 'react-router';
import { loadAdmin } from '../../admin/load.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { MarkdownToolbar } from '../../editor/markdown-toolbar.tsx';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { addressOfPage } from '../../site-page.ts';
import type { Route } from './+types/site-text.page';
import { LanguageChoice, languageOf, PAGE_NAMES, SiteFrame } from './site-frame.tsx';

function kindOf(given: string) {
  const kind = SITE_PAGES.find((one) => one === given);
  if (kind === undefined) throw data(null, { status: 404 });
  return kind;
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context);
  const kind = kindOf(params.kind);
  const language = languageOf(url, locale);
  const { texts } = await api(readSitePageTexts, { params: { kind } });
  const text = texts.find((one) => one.locale === language);
  return {
    kind,
    language,
    version: text?.version ?? 0,
    body: text?.body ?? '',
    written: texts.flatMap((one) => (one.body === '' ? [] : [one.locale])),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url, locale } = await act(request, context);
  const kind = kindOf(params.kind);
  const language = languageOf(url, locale);
  const saved = await attempt(updateSitePage, {
    params: { kind, locale: language },
    body: { version: Number(textOf(fields, 'version')), body: textOf(fields, 'body') },
  });
  if (!saved.ok) return saved.refusal;
  return redirectWith(`/admin/site/pages/${kind}?language=${language}`, { key: 'common.saved' });
}

export default function SiteTextPage({ loaderData }: Route.ComponentProps) {
  const { kind, language, version, body, written } = loaderData;
  const { t, list } = useText();
  const { isSubmitting } = useSubmitting('page');
  const isBuiltIn = kind === 'privacy' || kind === 'accessibility';
  return (
    <SiteFrame>
      <p className="mb-4 max-w-prose">{t(isBuiltIn ? 'admin.site_page_built_in' : 'admin.site_page_absent')}</p>
      {written.length > 0 ? (
        <p className="mb-4 max-w-prose">{t('admin.site_page_written', { languages: list(written.map(endonymOf)) })}</p>
      ) : null}
      <LanguageChoice language={language}>
        {isBuiltIn || written.length > 0 ? (
          <Link to={`${addressOfPage(kind)}?locale=${language}`} className="link py-2.5">
            {t('admin.site_open')}
          </Link>
        ) : null}
      </LanguageChoice>
      <SmartForm key={`${kind} ${language} ${version}`} intent="page" className="mt-8 grid max-w-3xl gap-6">
        <GuardedDraft />
        <input type="hidden" name="version" value={version} />
        <TextArea
          id="site-text"
          name="body"
          label={`${t(PAGE_NAMES[kind])} · ${endonymOf(language)}`}
          hint={t('admin.site_page_body_hint')}
          tools={<MarkdownToolbar target="site-text" />}
          defaultValue={body}
          rows={18}
          lang={language}
          dir="auto"
          hideOptional
          className="[&_textarea]:max-h-[75vh] [&_textarea]:min-h-80"
        />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
    </SiteFrame>
  );
}
