import { Link, useActionData, useSearchParams } from 'react-router';
import { unsubscribe } from '@officium/contract/notifications';
import { act, load } from '../../server/api.ts';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/unsubscribe.page';

/** The address contains a secret: no referrer, no caching. */
export function headers() {
  return { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await load(request, context);
  return { isSignedIn: viewer !== null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const done = await attempt(unsubscribe, { query: { token: String(fields.get('token') ?? '') } });
  return done.ok ? { ended: done.body.event } : done.refusal;
}

/** Mail programs open links too, so only the button unsubscribes. */
export default function Unsubscribe({ loaderData }: Route.ComponentProps) {
  const { t, maybe } = useText();
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const answer = useActionData<typeof action>();
  const ended = answer && 'ended' in answer ? answer.ended : undefined;
  const failed = useFormState() !== undefined;
  const { isSubmitting } = useSubmitting();
  // The second part of a token names the kind of mail; the server verifies it with the rest.
  const kind = maybe(`account.event.${ended ?? token.split('.')[1]}`);
  return (
    <div className="page py-10 md:py-16">
      <Head title={t('notification.unsubscribe')} isPrivate />
      <div className="mx-auto max-w-md">
        <h1 className="text-4xl">{t('notification.unsubscribe')}</h1>
        {ended ? (
          <div className="mt-6">
            <Notice tone="success" live>
              {t('notification.unsubscribed', { kind })}
            </Notice>
          </div>
        ) : kind ? (
          <>
            <p className="mt-3 text-lg text-muted">{t('notification.unsubscribe_text', { kind })}</p>
            <SmartForm className="mt-8">
              <input type="hidden" name="token" value={token} />
              {failed ? null : <Button isBusy={isSubmitting}>{t('notification.unsubscribe')}</Button>}
            </SmartForm>
          </>
        ) : (
          <div className="mt-6">
            <Notice tone="danger">{t('errors.notifications.wrong_link')}</Notice>
          </div>
        )}
        <p className="mt-8 text-muted">{t('notification.unsubscribe_else')}</p>
        <Link className="link inline-flex min-h-11 items-center" to="/me/settings/notifications">
          {t(loaderData.isSignedIn ? 'notification.choose' : 'notification.choose_signed_out')}
        </Link>
      </div>
    </div>
  );
}
