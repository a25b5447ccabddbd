import { createUserRecord } from '@officium/contract/people';
import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { act } from '../../server/api.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useLanguages } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import type { Route } from './+types/people-new.page';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { keyOf } from './person-state.tsx';
import { ROLES } from './people-search.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  await loadAdmin(request, context);
  return { roles: ROLES };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const given = (name: string) => textOf(fields, name).trim() || undefined;
  const made = await attempt(createUserRecord, {
    body: {
      name: textOf(fields, 'name'),
      email: textOf(fields, 'email'),
      jobTitle: given('jobTitle'),
      organization: given('organization'),
      locale: LOCALES.find((locale) => locale === fields.get('locale')),
      role: ROLES.find((role) => role === fields.get('role')),
    },
  });
  return made.ok ? redirectWith(`/admin/people/${made.body.id}`, { key: 'admin.people_made' }) : made.refusal;
}

export default function NewPerson({ loaderData }: Route.ComponentProps) {
  const { t, locale } = useText();
  const { isSubmitting } = useSubmitting();
  const languages = useLanguages();
  const byRule = { value: '', label: t('admin.people_role_by_rule') };
  return (
    <Admin title={t('admin.people_new')} intro={t('admin.people_new_text')}>
      <SmartForm className="grid max-w-xl gap-5">
        <GuardedDraft />
        <Field name="name" label={t('auth.name')} maxLength={100} autoComplete="off" required dir="auto" />
        <Field name="email" type="email" label={t('auth.email')} maxLength={254} autoComplete="off" required />
        <Field name="jobTitle" label={t('people.job_title')} maxLength={200} autoComplete="off" dir="auto" />
        <Field name="organization" label={t('people.organization')} maxLength={200} autoComplete="off" dir="auto" />
        <Select
          name="role"
          label={t('admin.people_role')}
          options={[
            byRule,
            ...loaderData.roles.map((value) => ({ value, label: t(`admin.people_role_${keyOf(value)}`) })),
          ]}
          hideOptional
        />
        <Select
          name="locale"
          label={t('common.language')}
          options={languages.map((value) => ({ value, label: endonymOf(value) }))}
          defaultValue={locale}
          required
        />
        <div className="flex flex-wrap gap-3">
          <Button isBusy={isSubmitting}>{t('admin.people_new')}</Button>
          <LinkButton to="/admin/people" look="quiet">
            {t('common.cancel')}
          </LinkButton>
        </div>
      </SmartForm>
    </Admin>
  );
}
