import { Link, useSearchParams } from 'react-router';
import { requestLoginLink, signIn } from '@officium/contract/auth';
import { readSignInWays } from '@officium/contract/provider-sign-in';
import { signInWithPasskey } from '@officium/contract/second-factor';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/login.page';
import { Narrow } from '../../ui/narrow.tsx';
import { PasskeyButton } from '../../factors/passkey-button.tsx';
import { passkeyOf } from '../../factors/passkey-field.ts';
import { textOf } from '../../form/fields.ts';
import { isOwed, toSecondStep } from './second-step.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, viewer, url } = await load(request, context);
  if (viewer && !viewer.limited) throw redirect(safePath(url.searchParams.get('next')));
  return await api(readSignInWays);
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, locale, url, origin } = await act(request, context);
  const email = textOf(fields, 'email');
  if (fields.get('intent') === 'link') {
    const sent = await attempt(requestLoginLink, { body: { email, locale } });
    return sent.ok ? redirectWith('/login', { key: 'auth.link_sent', tone: 'info' }) : sent.refusal;
  }
  const next = safePath(url.searchParams.get('next'));
  if (fields.get('intent') === 'passkey') {
    const done = await attempt(signInWithPasskey, { body: { passkey: passkeyOf<never>(fields) } });
    return done.ok ? redirect(next) : done.refusal;
  }
  const done = await attempt(signIn, { body: { email, password: textOf(fields, 'password') } });
  if (!done.ok && isOwed(done.failure)) return toSecondStep(done.failure, next, origin);
  return done.ok ? redirect(next) : done.refusal;
}

export default function Login({ loaderData: { provider } }: Route.ComponentProps) {
  const { t, rich } = useText();
  const [search] = useSearchParams();
  const next = search.get('next');
  return (
    <Narrow
      title={t('auth.login_title')}
      intro={
        <p>
          {rich('auth.login_intro', {
            link: (words) => (
              <Link className="link" to={next ? `/signup?next=${encodeURIComponent(next)}` : '/signup'}>
                {words}
              </Link>
            ),
          })}
        </p>
      }
    >
      {provider ? (
        <p className="mb-8 border-b border-line pb-8">
          <LinkButton to={`/login/provider/start?next=${encodeURIComponent(next ?? '/')}`} reloadDocument>
            {t('auth.provider_sign_in', { name: provider.name })}
          </LinkButton>
        </p>
      ) : null}
      <PasswordForm />
      <div className="mt-6 empty:hidden">
        <PasskeyButton
          use="prove"
          from={{ path: '/api/auth/logins/passkey/options' }}
          intent="passkey"
          label={t('auth.passkey_sign_in')}
        />
      </div>
      <LinkForm />
    </Narrow>
  );
}

function PasswordForm() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SmartForm intent="password" className="grid gap-5">
      <Field
        name="email"
        type="email"
        label={t('auth.email')}
        autoComplete="username"
        inputMode="email"
        required
        dir="ltr"
      />
      <Field name="password" type="password" label={t('auth.password')} autoComplete="current-password" required />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Button isBusy={isSubmitting}>{t('common.sign_in')}</Button>
        <Link className="link" to="/reset">
          {t('auth.forgot')}
        </Link>
      </div>
    </SmartForm>
  );
}

/** Signs in by a link that is mailed. */
function LinkForm() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <section aria-labelledby="by-link" className="mt-10 border-t border-line pt-8">
      <h2 id="by-link" className="text-2xl">
        {t('auth.by_link_title')}
      </h2>
      <p className="mt-1 text-muted">{t('auth.by_link_text')}</p>
      <SmartForm intent="link" className="mt-4 grid gap-5">
        <Field
          name="email"
          type="email"
          label={t('auth.email')}
          autoComplete="email"
          inputMode="email"
          required
          dir="ltr"
        />
        <div>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('auth.send_link')}
          </Button>
        </div>
      </SmartForm>
    </section>
  );
}
