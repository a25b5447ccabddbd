import {
  confirmSession,
  mailConfirmationCode,
  readConfirmation,
  startConfirmationPasskey,
} from '@officium/contract/second-factor';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/confirm.page';
import { AppCode } from '../../factors/app-code.tsx';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { Narrow } from '../../ui/narrow.tsx';
import { PasskeyButton } from '../../factors/passkey-button.tsx';
import { passkeyOf } from '../../factors/passkey-field.ts';
import { textOf } from '../../form/fields.ts';

export const headers = secretPageHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, attempt, viewer, url } = await loadSignedIn(request, context);
  const { recent, methods } = await api(readConfirmation);
  if (recent && url.searchParams.has('next')) throw redirect(safePath(url.searchParams.get('next')));
  const started = methods.includes('passkey') ? await attempt(startConfirmationPasskey) : undefined;
  return { methods, email: viewer.email, options: started?.ok ? started.body.options : undefined };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const intent = fields.get('intent');
  if (intent === 'mail') {
    const sent = await attempt(mailConfirmationCode);
    return sent.ok ? redirectWith(url.pathname + url.search, { key: 'auth.code_sent', tone: 'info' }) : sent.refusal;
  }
  const proof =
    intent === 'passkey'
      ? { passkey: passkeyOf<never>(fields) }
      : intent === 'password'
        ? { password: textOf(fields, 'password') }
        : intent === 'mailed'
          ? { mailCode: textOf(fields, 'mailCode') }
          : { code: textOf(fields, 'code') };
  const done = await attempt(confirmSession, { body: proof });
  if (!done.ok) return done.refusal;
  return redirectWith(safePath(url.searchParams.get('next')), { key: 'auth.confirmed' });
}

/** Asks for a recent sign-in before sensitive actions, in case the device was left unattended. */
export default function Confirm({ loaderData }: Route.ComponentProps) {
  const { methods, options, email } = loaderData;
  const { t } = useText();
  return (
    <Narrow title={t('auth.confirm_title')} intro={<p>{t('auth.confirm_text')}</p>}>
      <div className="grid gap-10">
        {methods.includes('password') ? <ByPassword email={email} /> : null}
        {methods.includes('mail') ? <ByMail /> : null}
        {methods.includes('totp') ? <ByApp /> : null}
        {options ? (
          <PasskeyButton use="prove" from={{ options }} intent="passkey" label={t('auth.passkey_use')} />
        ) : null}
      </div>
    </Narrow>
  );
}

function ByPassword({ email }: { email: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('password');
  return (
    <SmartForm intent="password" className="grid gap-5">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field name="password" type="password" label={t('auth.password')} autoComplete="current-password" required />
      <div>
        <Button isBusy={isSubmitting}>{t('auth.confirm')}</Button>
      </div>
    </SmartForm>
  );
}

function ByMail() {
  const { t } = useText();
  const sending = useSubmitting('mail');
  const confirming = useSubmitting('mailed');
  return (
    <div className="grid gap-6">
      <SmartForm intent="mail">
        <Button look="secondary" isBusy={sending.isSubmitting}>
          {t('auth.send_code')}
        </Button>
      </SmartForm>
      <SmartForm intent="mailed" className="grid gap-5">
        <Field
          name="mailCode"
          label={t('auth.code')}
          hint={t('auth.code_hint')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          required
          dir="ltr"
        />
        <div>
          <Button isBusy={confirming.isSubmitting}>{t('auth.confirm')}</Button>
        </div>
      </SmartForm>
    </div>
  );
}

function ByApp() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('app');
  return (
    <SmartForm intent="app" className="grid gap-5">
      <AppCode />
      <div>
        <Button look="secondary" isBusy={isSubmitting}>
          {t('auth.confirm')}
        </Button>
      </div>
    </SmartForm>
  );
}
