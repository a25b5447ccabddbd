import { useSearchParams } from 'react-router';
import { updateProfile } from '@officium/contract/account';
import { setPassword } from '@officium/contract/auth';
import { readMyRegistration } from '@officium/contract/people';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { safePath } from '../../server/safe-path.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import type { Route } from './+types/welcome.page';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { Narrow } from '../../ui/narrow.tsx';
import { optionalOf, textOf } from '../../form/fields.ts';
import { NewPasswordField } from './password-fields.tsx';

export const headers = secretPageHeaders;

export async function loader({ request, context }: Route.LoaderArgs) {
  // An invitation comes without a session: its secret identifies the user.
  const { viewer, url } = await load(request, context);
  return { name: viewer?.name, secret: url.searchParams.get('onboardingState') ?? '' };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, url, viewer } = await act(request, context);
  const set = await attempt(setPassword, {
    body: { password: textOf(fields, 'password'), onboardingState: textOf(fields, 'secret') },
  });
  if (!set.ok) return set.refusal;
  const biography = optionalOf(fields, 'biography');
  if (viewer && biography) await attempt(updateProfile, { body: { biography } });
  const registration = viewer?.role === 'non-public-servant' ? await attempt(readMyRegistration) : null;
  const isWaiting = registration?.ok && registration.body.status === 'pending';
  const key = isWaiting ? 'auth.welcome_waiting' : 'auth.welcome_done';
  return redirectWith(safePath(url.searchParams.get('returnTo')), { key });
}

export default function Welcome({ loaderData }: Route.ComponentProps) {
  const { t, rich } = useText();
  const [search] = useSearchParams();
  const { isSubmitting } = useSubmitting();
  return (
    <Narrow
      step={t('auth.step', { step: 3, steps: 3 })}
      title={t('auth.welcome_title')}
      intro={
        <p>
          {loaderData.name === undefined
            ? t('auth.welcome_intro_new')
            : rich('auth.welcome_intro', { name: <bdi key="name">{loaderData.name}</bdi> })}
        </p>
      }
    >
      <SmartForm className="grid gap-5" action={`/welcome?${search}`}>
        <input type="hidden" name="secret" value={loaderData.secret} />
        <NewPasswordField />
        <TextArea
          name="biography"
          label={t('auth.about_you')}
          hint={t('auth.about_you_hint')}
          maxLength={5000}
          dir="auto"
        />
        <div>
          <Button isBusy={isSubmitting}>{t('auth.begin')}</Button>
        </div>
      </SmartForm>
    </Narrow>
  );
}
