import { createPiece } from '@officium/contract/authoring';
import { endonymOf, isLocale, LOCALES } from '@officium/i18n/locales';
import { data, Link } from 'react-router';
import { act } from '../../server/api.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/piece-new.page';
import { addressOf, isKind } from './kinds.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { url, viewer } = await loadAdmin(request, context, 'edit-content');
  const kind = url.searchParams.get('kind');
  const parent = url.searchParams.get('parent') ?? '';
  if (!isKind(kind) || ((kind === 'journey' || kind === 'lesson') && !parent)) throw data(null, { status: 404 });
  // Roles create only inside their places.
  if (!parent && viewer.role !== 'administrator') throw data(null, { status: 403 });
  return { kind, parent, section: Number(url.searchParams.get('section')) || 0 };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const kind = url.searchParams.get('kind');
  const parent = url.searchParams.get('parent');
  const language = textOf(fields, 'language');
  const slug = textOf(fields, 'slug').trim();
  if (!isKind(kind)) throw data(null, { status: 404 });
  const made = await attempt(createPiece, {
    body: {
      kind,
      title: textOf(fields, 'title'),
      ...(slug ? { slug } : {}),
      sourceLocale: isLocale(language) ? language : 'en',
      ...(parent ? { parent } : {}),
      ...(kind === 'lesson' ? { section: Number(url.searchParams.get('section')) || 0 } : {}),
    },
  });
  return made.ok ? redirectWith(addressOf(kind, made.body.key), { key: 'admin.content_begun' }) : made.refusal;
}

export default function NewPiece({ loaderData: { kind, parent } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const { isSubmitting } = useSubmitting();
  const above = kind === 'lesson' ? 'journey' : kind === 'journey' ? 'course' : 'academy';
  const back = parent ? addressOf(above, parent) : '/admin/content';
  return (
    <Admin
      title={t(`admin.content_new_${kind}`)}
      intro={t('admin.content_new_intro')}
      crumb={
        <p>
          <Link to={back} className="link inline-block py-1.5 text-sm">
            {t(parent ? `admin.content_kind_${above}` : 'admin.content')}
          </Link>
        </p>
      }
    >
      <SmartForm className="grid max-w-prose gap-6">
        <GuardedDraft form={`${kind} ${parent}`} />
        <Select
          name="language"
          label={t('admin.content_source')}
          hint={t('admin.content_source_hint')}
          options={LOCALES.map((value) => ({ value, label: endonymOf(value) }))}
          defaultValue={locale}
          required
          className="w-72 max-w-full"
        />
        <Field
          name="title"
          label={t('admin.content_field_title')}
          dir="auto"
          autoComplete="off"
          maxLength={200}
          required
        />
        <Field
          name="slug"
          label={t('admin.content_field_slug')}
          hint={t('admin.content_slug_new_hint')}
          dir="ltr"
          autoComplete="off"
          maxLength={128}
        />
        <div>
          <Button isBusy={isSubmitting}>{t('admin.content_create')}</Button>
        </div>
      </SmartForm>
    </Admin>
  );
}
