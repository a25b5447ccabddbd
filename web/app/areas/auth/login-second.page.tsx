import { Link } from 'react-router';
import { proveSecondFactor, startFactorPasskey } from '@officium/contract/second-factor';
import { act, load } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/login-second.page';
import { AppCode } from '../../factors/app-code.tsx';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { Narrow } from '../../ui/narrow.tsx';
import { PasskeyButton } from '../../factors/passkey-button.tsx';
import { passkeyOf } from '../../factors/passkey-field.ts';
import { textOf } from '../../form/fields.ts';
import { secondStep } from './second-step.ts';

export const headers = secretPageHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { attempt, viewer, url, origin } = await load(request, context);
  const next = safePath(url.searchParams.get('next'));
  if (viewer && !viewer.limited) throw redirect(next);
  const challenge = secondStep.read(context.get(pageContext).cookies, origin);
  const methods = (url.searchParams.get('by') ?? '').split(' ');
  const started =
    challenge && methods.includes('passkey') ? await attempt(startFactorPasskey, { body: { challenge } }) : undefined;
  return { methods, options: started?.ok ? started.body.options : undefined };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, url, origin } = await act(request, context);
  const challenge = secondStep.read(context.get(pageContext).cookies, origin) || 'none';
  const intent = fields.get('intent');
  const proof =
    intent === 'passkey'
      ? { passkey: passkeyOf<never>(fields) }
      : intent === 'recovery'
        ? { recoveryCode: textOf(fields, 'recoveryCode') }
        : { code: textOf(fields, 'code') };
  const done = await attempt(proveSecondFactor, { body: { challenge, ...proof } });
  if (!done.ok) return done.refusal;
  const next = safePath(url.searchParams.get('next'));
  return redirect(next === '/' ? safePath(done.body.redirectPath) : next);
}

export default function SecondStep({ loaderData }: Route.ComponentProps) {
  const { methods, options } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting('code');
  return (
    <Narrow title={t('auth.second_title')} intro={<p>{t('auth.second_text')}</p>}>
      {options ? (
        <div className="mb-10">
          <PasskeyButton use="prove" from={{ options }} intent="passkey" look="primary" label={t('auth.passkey_use')} />
        </div>
      ) : null}
      {methods.includes('totp') ? (
        <SmartForm intent="code" className="grid gap-5">
          <AppCode />
          <div>
            <Button isBusy={isSubmitting}>{t('common.sign_in')}</Button>
          </div>
        </SmartForm>
      ) : null}
      {methods.includes('recovery-code') ? <Recovery /> : null}
      <p className="mt-10 border-t border-line pt-6">
        <Link className="link" to="/login">
          {t('auth.second_again')}
        </Link>
      </p>
    </Narrow>
  );
}

function Recovery() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('recovery');
  return (
    <section aria-labelledby="recovery" className="mt-10 border-t border-line pt-8">
      <h2 id="recovery" className="text-2xl">
        {t('auth.recovery_title')}
      </h2>
      <p className="mt-1 text-muted">{t('auth.recovery_text')}</p>
      <SmartForm intent="recovery" className="mt-4 grid gap-5">
        <Field
          name="recoveryCode"
          label={t('auth.recovery_code')}
          autoComplete="off"
          maxLength={40}
          required
          dir="ltr"
        />
        <div>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('common.sign_in')}
          </Button>
        </div>
      </SmartForm>
    </section>
  );
}
