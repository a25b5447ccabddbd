import { Link, redirect, useSearchParams } from 'react-router';
import { confirmLoginLink } from '@officium/contract/auth';
import { act } from '../../api.ts';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { safePath } from '../../safe-path.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/login-confirm.page';
import { textOf } from './fields.ts';
import { secretPageHeaders } from './headers.ts';
import { Narrow } from './narrow.tsx';

export const headers = secretPageHeaders;

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const done = await attempt(confirmLoginLink, { body: { token: textOf(fields, 'token') } });
  return done.ok ? redirect(safePath(done.body.redirectPath)) : done.refusal;
}

/** Opening the link signs nobody in: mail programs open links too. The button does. */
export default function ConfirmLogin() {
  const { t } = useText();
  const [search] = useSearchParams();
  const failed = useFormState() !== undefined;
  const { isSubmitting } = useSubmitting();
  return (
    <Narrow title={t('auth.confirm_login_title')} intro={<p>{t('auth.confirm_login_text')}</p>}>
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
