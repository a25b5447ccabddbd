import { data } from 'react-router';
import { readCommunity } from '@officium/contract/community';
import { readCommunitySettings, updateCommunitySettings } from '@officium/contract/community-settings';
import { DEFAULT_LOCALE, isLocale } from '@officium/i18n/locales';
import { act, loadSignedIn } from '../../server/api.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select, TextArea } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import type { Route } from './+types/settings.page';
import { CommunityCrumb } from './community-head.tsx';
import { useSpan } from './pace.tsx';
import { LanguageField } from './write-fields.tsx';

/** Slow mode choices in seconds, from none to a day. */
const STEPS = [0, 30, 60, 300, 900, 3600, 21_600, 86_400];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  const [{ slug, title }, settings] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    api(readCommunitySettings, { params }),
  ]);
  if (!settings.canEdit) throw data(null, { status: 403 });
  return { slug, title, settings };
}

/** Splits rules at empty lines and drops leading numbers. */
function rulesOf(text: string): string[] {
  return text
    .split(/\r?\n\s*\r?\n/)
    .map((rule) => rule.trim().replace(/^\d{1,2}[.)]\s+/, ''))
    .filter(Boolean);
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const language = textOf(fields, 'locale');
  const body = {
    locale: isLocale(language) ? language : DEFAULT_LOCALE,
    rules: rulesOf(textOf(fields, 'rules')),
    slowModeSeconds: Number(textOf(fields, 'slowModeSeconds')),
    postsPerDay: textOf(fields, 'postsPerDay') === '' ? null : Number(textOf(fields, 'postsPerDay')),
  };
  const saved = await attempt(updateCommunitySettings, { params, body });
  return saved.ok ? redirectWith(`/communities/${params.slug}/settings`, { key: 'common.saved' }) : saved.refusal;
}

export default function CommunitySettingsPage({ loaderData: { slug, title, settings } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('settings');
  const steps = STEPS.includes(settings.slowModeSeconds) ? STEPS : [...STEPS, settings.slowModeSeconds];
  const span = useSpan();
  return (
    <div className="page py-6 md:py-10">
      <Head title={`${t('moderation.settings')} · ${title}`} isPrivate />
      <div className="mx-auto max-w-[44rem]">
        <CommunityCrumb slug={slug} title={title} />
        <h1 className="mt-4 text-4xl">{t('moderation.settings')}</h1>
        <SmartForm intent="settings" className="mt-8 grid gap-6">
          <GuardedDraft />
          <TextArea
            name="rules"
            label={t('moderation.rules')}
            hint={t('moderation.rules_hint')}
            rows={10}
            dir="auto"
            defaultValue={settings.rules.map(({ text }) => text).join('\n\n')}
          />
          <LanguageField chosen={settings.locale} />
          <Select
            name="slowModeSeconds"
            label={t('moderation.slow_mode_label')}
            hint={t('moderation.slow_mode_hint')}
            required
            className="w-64 max-w-full"
            defaultValue={String(settings.slowModeSeconds)}
            options={steps.map((seconds) => ({
              value: String(seconds),
              label: seconds ? span(seconds) : t('moderation.slow_mode_off'),
            }))}
          />
          <Field
            name="postsPerDay"
            type="number"
            min={1}
            max={1000}
            inputMode="numeric"
            label={t('moderation.posts_per_day_label')}
            hint={t('moderation.posts_per_day_hint')}
            className="w-64 max-w-full"
            defaultValue={settings.postsPerDay ?? ''}
          />
          <div>
            <Button isBusy={isSubmitting}>{t('common.save')}</Button>
          </div>
        </SmartForm>
      </div>
    </div>
  );
}
