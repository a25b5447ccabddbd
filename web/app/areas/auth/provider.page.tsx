import { data } from 'react-router';
import { finishProviderSignIn } from '@officium/contract/provider-sign-in';
import { load } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { redirect } from '../../server/redirect.ts';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Narrow } from '../../ui/narrow.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/provider.page';
import { providerAttempt } from './provider.ts';
import { isOwed, toSecondStep } from './second-step.ts';

export const headers = secretPageHeaders;

/** Where administrators connect their organisation. */
const SECURITY = '/me/settings/security';

/** Return address after signing in at the organisation. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { attempt, url, origin, viewer } = await load(request, context);
  const begun = providerAttempt.read(context.get(pageContext).cookies, origin) || 'none';
  const done = await attempt(finishProviderSignIn, { body: { attempt: begun, answer: url.search } });
  const ended = { headers: { 'set-cookie': providerAttempt.set('', origin) } };
  if (done.ok) throw redirect(done.body.redirectPath, ended);
  if (isOwed(done.failure)) throw toSecondStep(done.failure, '/', origin);
  const { code, status } = done.failure;
  const again =
    code === 'auth.provider_administrator' ? `${viewer ? '/confirm' : '/login'}?next=${SECURITY}` : '/login';
  return data({ code, again }, { status, ...ended });
}

export default function BackFromProvider({ loaderData }: Route.ComponentProps) {
  const { t, maybe } = useText();
  const { code, again } = loaderData;
  return (
    <Narrow title={t('auth.provider_failed')}>
      <Notice tone="danger">{maybe(`errors.${code}`) ?? t('errors.auth.provider_refused')}</Notice>
      <p className="mt-8">
        <LinkButton to={again}>{t('auth.provider_again')}</LinkButton>
      </p>
    </Narrow>
  );
}
