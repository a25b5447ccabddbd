import { Link, useSearchParams } from 'react-router';
import { createAccount } from '@officium/contract/auth';
import { act, viewerOf } from '../../server/api.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { safePath } from '../../server/safe-path.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/signup.page';
import { Narrow } from '../../ui/narrow.tsx';
import { optionalOf, textOf } from '../../form/fields.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await viewerOf(context);
  if (viewer) throw redirect(viewer.limited ? `/signup/confirm?email=${encodeURIComponent(viewer.email)}` : '/');
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, locale, url } = await act(request, context);
  const email = textOf(fields, 'email').trim();
  const next = url.searchParams.get('next');
  const done = await attempt(createAccount, {
    body: {
      name: textOf(fields, 'name'),
      email,
      jobTitle: optionalOf(fields, 'jobTitle'),
      organization: optionalOf(fields, 'organization'),
      locale,
      signupRedirectUrl: next ? safePath(next) : undefined,
    },
  });
  return done.ok ? redirect(`/signup/confirm?email=${encodeURIComponent(email)}`) : done.refusal;
}

export default function SignUp() {
  const { t, rich } = useText();
  const [search] = useSearchParams();
  const next = search.get('next');
  const { isSubmitting } = useSubmitting();
  return (
    <Narrow
      step={t('auth.step', { step: 1, steps: 3 })}
      title={t('auth.signup_title')}
      intro={
        <p>
          {rich('auth.signup_intro', {
            link: (words) => (
              <Link className="link" to={next ? `/login?next=${encodeURIComponent(next)}` : '/login'}>
                {words}
              </Link>
            ),
          })}
        </p>
      }
    >
      <SmartForm className="grid gap-5">
        <Field name="name" label={t('auth.name')} autoComplete="name" maxLength={100} required dir="auto" />
        <Field
          name="email"
          type="email"
          label={t('auth.work_email')}
          defaultValue={search.get('email') ?? ''}
          hint={t('auth.work_email_hint')}
          autoComplete="email"
          inputMode="email"
          required
          dir="ltr"
        />
        <Field
          name="jobTitle"
          label={t('auth.job_title')}
          autoComplete="organization-title"
          maxLength={200}
          dir="auto"
        />
        <Field
          name="organization"
          label={t('auth.organization')}
          autoComplete="organization"
          maxLength={200}
          dir="auto"
        />
        <div>
          <Button isBusy={isSubmitting}>{t('auth.send_code')}</Button>
        </div>
      </SmartForm>
    </Narrow>
  );
}
