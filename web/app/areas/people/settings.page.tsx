import { readProfile, setVisibility, updateProfile, VISIBILITIES } from '@officium/contract/account';
import { setPassword } from '@officium/contract/auth';
import { act, loadSignedIn } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, FieldGroup, Radio, TextArea } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/settings.page';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadSignedIn(request, context);
  return { profile: await api(readProfile, { params: { id: 'me' } }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const text = (name: string) => String(fields.get(name) ?? '');
  const saved = await (async () => {
    switch (fields.get('intent')) {
      case 'visibility': {
        const visibility = VISIBILITIES.find((one) => one === fields.get('visibility')) ?? 'default';
        return await attempt(setVisibility, { body: { visibility } });
      }
      case 'password':
        return await attempt(setPassword, { body: { password: text('password'), oldPassword: text('oldPassword') } });
      default:
        return await attempt(updateProfile, {
          body: {
            name: text('name'),
            jobTitle: text('jobTitle') || null,
            organization: text('organization') || null,
            biography: text('biography') || null,
          },
        });
    }
  })();
  return saved.ok ? redirectWith('/me/settings', { key: 'common.saved' }) : saved.refusal;
}

export default function Settings({ loaderData }: Route.ComponentProps) {
  const { profile } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <div className="page max-w-read py-10 md:py-14">
      <Head title={t('common.settings')} isPrivate />
      <h1 className="text-4xl">{t('common.settings')}</h1>
      <section className="mt-8" aria-labelledby="profile">
        <h2 id="profile" className="text-2xl">
          {t('common.profile')}
        </h2>
        <SmartForm intent="profile" className="mt-4 grid gap-5">
          <Field
            name="name"
            label={t('people.name')}
            defaultValue={profile.name}
            autoComplete="name"
            maxLength={100}
            required
            dir="auto"
          />
          <Field
            name="jobTitle"
            label={t('people.job_title')}
            defaultValue={profile.jobTitle ?? ''}
            autoComplete="organization-title"
            maxLength={200}
            dir="auto"
          />
          <Field
            name="organization"
            label={t('people.organization')}
            defaultValue={profile.organization ?? ''}
            autoComplete="organization"
            maxLength={200}
            dir="auto"
          />
          <TextArea
            name="biography"
            label={t('people.biography')}
            hint={t('people.biography_hint')}
            defaultValue={profile.biography ?? ''}
            maxLength={5000}
            dir="auto"
          />
          <div>
            <Button isBusy={isSubmitting}>{t('common.save')}</Button>
          </div>
        </SmartForm>
      </section>
      <section className="mt-12 border-t border-line pt-8" aria-labelledby="visibility-title">
        <h2 id="visibility-title" className="text-2xl">
          {t('people.visibility')}
        </h2>
        <SmartForm intent="visibility" className="mt-4">
          <FieldGroup name="visibility" legend={t('people.visibility_question')}>
            {VISIBILITIES.map((visibility) => (
              <Radio
                key={visibility}
                name="visibility"
                value={visibility}
                defaultChecked={profile.visibility === visibility}
                label={t(`people.visibility_${visibility}`)}
                hint={t(`people.visibility_${visibility}_hint`)}
              />
            ))}
          </FieldGroup>
          <Button className="mt-4" look="secondary" isBusy={isSubmitting}>
            {t('common.save')}
          </Button>
        </SmartForm>
      </section>
      <section className="mt-12 border-t border-line pt-8" aria-labelledby="password-title">
        <h2 id="password-title" className="text-2xl">
          {t('people.password')}
        </h2>
        <p className="mt-1 text-muted">{t('people.password_text')}</p>
        <SmartForm intent="password" className="mt-4 grid gap-5">
          <Field
            name="oldPassword"
            type="password"
            label={t('people.old_password')}
            autoComplete="current-password"
            required
          />
          <Field
            name="password"
            type="password"
            label={t('people.new_password')}
            autoComplete="new-password"
            minLength={8}
            maxLength={100}
            required
          />
          <div>
            <Button look="secondary" isBusy={isSubmitting}>
              {t('people.change_password')}
            </Button>
          </div>
        </SmartForm>
      </section>
    </div>
  );
}
