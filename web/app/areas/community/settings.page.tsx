import { data } from 'react-router';
import { readCommunity } from '@officium/contract/community';
import { readCommunitySettings, updateCommunitySettings } from '@officium/contract/community-settings';
import { DEFAULT_LOCALE, endonymOf, isLocale } from '@officium/i18n/locales';
import { act, loadSignedIn, refuse } from '../../server/api.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, FieldGroup, Select, TextArea } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import { keepable } from '../../form/state.ts';
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
    api(readCommunitySettings, { params, query: { withPage: 'true' } }),
  ]);
  const { page } = settings;
  if (!settings.canEdit || !page) throw data(null, { status: 403 });
  return { slug, title, settings, page };
}

/** Splits rules at empty lines and drops leading numbers. */
function rulesOf(text: string): string[] {
  return text
    .split(/\r?\n\s*\r?\n/)
    .map((rule) => rule.trim().replace(/^\d{1,2}[.)]\s+/, ''))
    .filter(Boolean);
}

const categoriesOf = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const language = textOf(fields, 'locale');
  const body = {
    locale: isLocale(language) ? language : DEFAULT_LOCALE,
    rules: rulesOf(textOf(fields, 'rules')),
    slowModeSeconds: Number(textOf(fields, 'slowModeSeconds')),
    postsPerDay: textOf(fields, 'postsPerDay') === '' ? null : Number(textOf(fields, 'postsPerDay')),
    page: {
      title: textOf(fields, 'title'),
      description: textOf(fields, 'description'),
      categories: [...new Set(categoriesOf(textOf(fields, 'categories')))],
    },
  };
  const saved = await attempt(updateCommunitySettings, { params, body });
  if (saved.ok) return redirectWith(`/communities/${params.slug}/settings`, { key: 'common.saved' });
  const { message, code, issues, status } = saved.failure;
  // The issues of the page are at `page.title` and so on.
  const named = issues.map((issue) => ({ ...issue, path: issue.path.replace(/^page\.([a-z]+).*$/, '$1') }));
  return refuse({ message, issues: named, values: keepable(fields), status, ...(code ? { code } : {}) }, status);
}

export default function CommunitySettingsPage({ loaderData: { slug, title, settings, page } }: Route.ComponentProps) {
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
          <PageFields page={page} />
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

/** Title, description and categories in the main language of the community. */
function PageFields({
  page: { locale, title, description, categories },
}: Pick<Route.ComponentProps['loaderData'], 'page'>) {
  const { t } = useText();
  return (
    <FieldGroup legend={t('moderation.page')}>
      <p className="text-sm text-muted">{t('moderation.page_hint', { language: endonymOf(locale) })}</p>
      <div className="grid gap-6 pt-3">
        <Field
          name="title"
          label={t('community.title')}
          defaultValue={title}
          lang={locale}
          dir="auto"
          autoComplete="off"
          maxLength={200}
          required
        />
        <TextArea
          name="description"
          label={t('moderation.page_description')}
          defaultValue={description}
          lang={locale}
          dir="auto"
          maxLength={5000}
        />
        <Field
          name="categories"
          label={t('community.categories')}
          hint={t('moderation.page_categories_hint')}
          defaultValue={categories.join(', ')}
          dir="auto"
          autoComplete="off"
        />
      </div>
    </FieldGroup>
  );
}
