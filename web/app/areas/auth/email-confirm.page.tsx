import { useSearchParams } from 'react-router';
import { confirmEmailChange } from '@officium/contract/auth';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/email-confirm.page';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { Narrow } from '../../ui/narrow.tsx';
import { textOf } from '../../form/fields.ts';

export const headers = secretPageHeaders;

/** Only the account that asked for the change may confirm it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  await loadSignedIn(request, context);
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const done = await attempt(confirmEmailChange, { body: { token: textOf(fields, 'token') } });
  return done.ok ? redirectWith('/login', { key: 'auth.email_changed' }) : done.refusal;
}

export default function ConfirmEmail() {
  const { t } = useText();
  const [search] = useSearchParams();
  const { isSubmitting } = useSubmitting();
  return (
    <Narrow title={t('auth.confirm_email_title')} intro={<p>{t('auth.confirm_email_text')}</p>}>
      <SmartForm>
        <input type="hidden" name="token" value={search.get('token') ?? ''} />
        <Button isBusy={isSubmitting}>{t('auth.confirm')}</Button>
      </SmartForm>
    </Narrow>
  );
}
