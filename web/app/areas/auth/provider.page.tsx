import { data, redirect } from 'react-router';
import { finishProviderSignIn } from '@officium/contract/provider-sign-in';
import { load } from '../../api.ts';
import { doorContext } from '../../door.ts';
import { safePath } from '../../safe-path.ts';
import { secretPageHeaders } from '../../secret-page.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Narrow } from '../../ui/narrow.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/provider.page';
import { attemptCookie, attemptIn } from './provider.ts';
import { isOwed, toSecondStep } from './second-step.ts';

export const headers = secretPageHeaders;

/** Where people come back to from their organisation. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { attempt, url, origin } = await load(request, context);
  const begun = attemptIn(context.get(doorContext).cookies) || 'none';
  const done = await attempt(finishProviderSignIn, { body: { attempt: begun, answer: url.search } });
  const ended = { headers: { 'set-cookie': attemptCookie('', origin) } };
  if (done.ok) throw redirect(safePath(done.body.redirectPath), ended);
  if (isOwed(done.failure)) throw toSecondStep(done.failure, '/', origin);
  return data({ code: done.failure.code }, { status: done.failure.status, ...ended });
}

export default function BackFromProvider({ loaderData }: Route.ComponentProps) {
  const { t, maybe } = useText();
  const { code } = loaderData;
  return (
    <Narrow title={t('auth.provider_failed')}>
      <Notice tone="danger">{maybe(`errors.${code}`) ?? t('errors.auth.provider_refused')}</Notice>
      <p className="mt-8">
        <LinkButton to="/login">{t('auth.provider_again')}</LinkButton>
      </p>
    </Narrow>
  );
}
