import { useSearchParams } from 'react-router';
import { confirmSignUp, resendSignUpCode } from '@officium/contract/auth';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/signup-confirm.page';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { Narrow } from '../../ui/narrow.tsx';
import { textOf } from '../../form/fields.ts';

export const headers = secretPageHeaders;

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const email = textOf(fields, 'email');
  if (fields.get('intent') === 'resend') {
    const sent = await attempt(resendSignUpCode, { body: { email } });
    const here = `/signup/confirm?email=${encodeURIComponent(email)}`;
    return sent.ok ? redirectWith(here, { key: 'auth.code_sent', tone: 'info' }) : sent.refusal;
  }
  const code = textOf(fields, 'code').replace(/\s+/g, '');
  const done = await attempt(confirmSignUp, { body: { email, code } });
  return done.ok ? redirect(done.body.redirectPath) : done.refusal;
}

export default function ConfirmSignUp() {
  const { t, rich } = useText();
  const [search] = useSearchParams();
  const email = search.get('email') ?? '';
  const given = search.get('code') ?? '';
  const isLink = given !== '' && !/^\d{6}$/.test(given);
  const { isSubmitting } = useSubmitting();
  const address = (
    <bdi key="email" className="font-semibold text-ink">
      {email}
    </bdi>
  );
  return (
    <Narrow
      step={t('auth.step', { step: 2, steps: 3 })}
      title={t('auth.code_title')}
      intro={<p>{isLink ? address : rich('auth.code_intro', { email: address })}</p>}
    >
      <SmartForm intent="confirm" className="grid gap-5">
        <input type="hidden" name="email" value={email} />
        {isLink ? (
          <input type="hidden" name="code" value={given} />
        ) : (
          <Field
            name="code"
            label={t('auth.code')}
            hint={t('auth.code_hint')}
            defaultValue={given}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={12}
            required
            dir="ltr"
          />
        )}
        <div>
          <Button isBusy={isSubmitting}>{t('auth.confirm')}</Button>
        </div>
      </SmartForm>
      <SmartForm intent="resend" className="mt-8 border-t border-line pt-6">
        <input type="hidden" name="email" value={email} />
        <p className="mb-3 text-muted">{t('auth.no_code')}</p>
        <Button look="secondary" isBusy={isSubmitting}>
          {t('auth.send_code_again')}
        </Button>
      </SmartForm>
    </Narrow>
  );
}
