import { Link, useSearchParams } from 'react-router';
import { confirmLoginLink } from '@officium/contract/auth';
import { act } from '../../server/api.ts';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { useSiteName } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/login-confirm.page';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { Narrow } from '../../ui/narrow.tsx';
import { textOf } from '../../form/fields.ts';
import { isOwed, toSecondStep } from './second-step.ts';

export const headers = secretPageHeaders;

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, origin } = await act(request, context);
  const done = await attempt(confirmLoginLink, { body: { token: textOf(fields, 'token') } });
  if (!done.ok && isOwed(done.failure)) return toSecondStep(done.failure, '/', origin);
  return done.ok ? redirect(done.body.redirectPath) : done.refusal;
}

/** Opening the link does not sign in, because mail programs open links too. The button does. */
export default function ConfirmLogin() {
  const { t } = useText();
  const [search] = useSearchParams();
  const failed = useFormState() !== undefined;
  const { isSubmitting } = useSubmitting();
  return (
    <Narrow
      title={t('auth.confirm_login_title', { site: useSiteName() })}
      intro={<p>{t('auth.confirm_login_text')}</p>}
    >
      <SmartForm>
        <input type="hidden" name="token" value={search.get('token') ?? ''} />
        {failed ? (
          <Link className="link" to="/login">
            {t('auth.ask_new_link')}
          </Link>
        ) : (
          <Button isBusy={isSubmitting}>{t('common.sign_in')}</Button>
        )}
      </SmartForm>
    </Narrow>
  );
}
