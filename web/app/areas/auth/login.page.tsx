import { Link, redirect, useSearchParams } from 'react-router';
import { requestLoginLink, signIn } from '@officium/contract/auth';
import { act, viewerOf } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { safePath } from '../../safe-path.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/login.page';
import { textOf } from './fields.ts';
import { Narrow } from './narrow.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = await viewerOf(context);
  if (viewer && !viewer.limited) throw redirect(safePath(new URL(request.url).searchParams.get('next')));
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, locale, url } = await act(request, context);
  const email = textOf(fields, 'email');
  if (fields.get('intent') === 'link') {
    const sent = await attempt(requestLoginLink, { body: { email, locale } });
    return sent.ok ? redirectWith('/login', { key: 'auth.link_sent', tone: 'info' }) : sent.refusal;
  }
  const done = await attempt(signIn, { body: { email, password: textOf(fields, 'password') } });
  return done.ok ? redirect(safePath(url.searchParams.get('next'))) : done.refusal;
}

export default function Login() {
  const { t, rich } = useText();
  const [search] = useSearchParams();
  const next = search.get('next');
  const { isSubmitting } = useSubmitting();
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
    </Narrow>
  );
}
