import { changeEmail, setPassword } from '@officium/contract/auth';
import { endonymOf } from '@officium/i18n/locales';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useLanguages } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import type { Route } from './+types/account.page';
import { textOf } from '../../form/fields.ts';
import { Part } from '../../ui/part.tsx';
import { Settings } from './settings.tsx';

const HERE = '/me/settings/account';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await loadSignedIn(request, context);
  return { email: viewer.email };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  if (fields.get('intent') === 'password') {
    const body = { password: textOf(fields, 'password'), oldPassword: textOf(fields, 'oldPassword') };
    const saved = await attempt(setPassword, { body });
    return saved.ok ? redirectWith(HERE, { key: 'account.password_changed' }) : saved.refusal;
  }
  const newEmail = textOf(fields, 'newEmail').trim();
  const begun = await attempt(changeEmail, { body: { newEmail, password: textOf(fields, 'password') } });
  if (!begun.ok) return begun.refusal;
  return begun.body.updated
    ? redirectWith(HERE, { key: 'account.email_sent', values: { email: newEmail } })
    : redirectWith(HERE, { key: 'account.email_same', tone: 'info' });
}

export default function Account({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <Settings title={t('account.account')}>
      <Part id="email" title={t('auth.email')} intro={t('account.email_text')}>
        <EmailForm email={loaderData.email} />
      </Part>
      <Part id="password" title={t('people.password')} intro={t('people.password_text')}>
        <PasswordForm />
      </Part>
      <Part id="language" title={t('common.language')} intro={t('account.language_text')}>
        <LanguageForm />
      </Part>
      <Part id="delete" title={t('account.delete')} intro={t('account.delete_intro')}>
        <LinkButton to="/me/settings/delete" look="danger">
          {t('account.delete_go')}
        </LinkButton>
      </Part>
    </Settings>
  );
}

function EmailForm({ email }: { email: string }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting('email');
  return (
    <>
      <p className="mb-5 wrap-anywhere">
        {rich('account.email_now', {
          email: (
            <strong>
              <bdi>{email}</bdi>
            </strong>
          ),
        })}
      </p>
      <SmartForm intent="email" className="grid gap-5">
        <Field
          name="newEmail"
          type="email"
          label={t('account.new_email')}
          autoComplete="email"
          maxLength={254}
          required
          dir="ltr"
        />
        <Field
          name="password"
          type="password"
          label={t('people.old_password')}
          hint={t('account.email_password')}
          autoComplete="current-password"
          required
        />
        <div>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('account.change_email')}
          </Button>
        </div>
      </SmartForm>
    </>
  );
}

function PasswordForm() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('password');
  return (
    <SmartForm intent="password" className="grid gap-5">
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
  );
}

/** A plain form, because the whole document changes language. */
function LanguageForm() {
  const { t, locale } = useText();
  const options = useLanguages().map((code) => ({ value: code, label: endonymOf(code) }));
  return (
    <form method="post" action="/language" className="grid gap-5">
      <input type="hidden" name="next" value={HERE} />
      <Select name="locale" label={t('common.language')} hideLabel options={options} defaultValue={locale} required />
      <div>
        <Button look="secondary">{t('account.language_save')}</Button>
      </div>
    </form>
  );
}
