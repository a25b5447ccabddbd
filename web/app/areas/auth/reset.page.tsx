import { Link } from 'react-router';
import { requestPasswordReset, setPassword } from '@officium/contract/auth';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/reset.page';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { Narrow } from '../../ui/narrow.tsx';
import { textOf } from '../../form/fields.ts';
import { NewPasswordField } from './password-fields.tsx';

export const headers = secretPageHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { url } = await load(request, context);
  return { secret: url.searchParams.get('forgotPassword') };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  if (fields.get('intent') === 'set') {
    const set = await attempt(setPassword, {
      body: { password: textOf(fields, 'password'), forgotPassword: textOf(fields, 'secret') },
    });
    return set.ok ? redirectWith('/login', { key: 'auth.password_set' }) : set.refusal;
  }
  const email = textOf(fields, 'email').trim();
  const asked = await attempt(requestPasswordReset, { params: { email }, body: {} });
  if (!asked.ok) return asked.refusal;
  if (asked.body.userState === 'verify')
    return redirectWith(`/signup/confirm?email=${encodeURIComponent(email)}`, { key: 'auth.code_sent', tone: 'info' });
  return redirectWith('/reset', { key: 'auth.reset_sent', tone: 'info' });
}

export default function Reset({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const { secret } = loaderData;
  if (secret !== null)
    return (
      <Narrow title={t('auth.choose_password_title')} intro={<p>{t('auth.choose_password_text')}</p>}>
        <SmartForm intent="set" className="grid gap-5">
          <input type="hidden" name="secret" value={secret} />
          <NewPasswordField />
          <div>
            <Button isBusy={isSubmitting}>{t('auth.set_password')}</Button>
          </div>
        </SmartForm>
      </Narrow>
    );
  return (
    <Narrow title={t('auth.reset_title')} intro={<p>{t('auth.reset_text')}</p>}>
      <SmartForm intent="ask" className="grid gap-5">
        <Field
          name="email"
          type="email"
          label={t('auth.email')}
          autoComplete="username"
          inputMode="email"
          required
          dir="ltr"
        />
        <div className="flex flex-wrap items-center justify-between gap-4">
          <Button isBusy={isSubmitting}>{t('auth.send_reset')}</Button>
          <Link className="link" to="/login">
            {t('common.sign_in')}
          </Link>
        </div>
      </SmartForm>
    </Narrow>
  );
}
