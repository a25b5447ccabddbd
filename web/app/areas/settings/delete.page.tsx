import { deleteAccount } from '@officium/contract/auth';
import { act, loadSignedIn, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/delete.page';
import { isSameName } from '../../ui/same-name.ts';
import { Settings } from './settings.tsx';

const LOST = ['account.lost_profile', 'account.lost_learning', 'account.lost_places', 'account.lost_settings'] as const;
const OTHER_NAME = 'Must be your name';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await loadSignedIn(request, context);
  return { name: viewer.name };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, viewer } = await act(request, context);
  if (viewer && !isSameName(textOf(fields, 'name'), viewer.name))
    return refuse({ message: '', issues: [{ path: 'name', message: OTHER_NAME }] });
  // The API refuses viewers who are no longer signed in.
  const gone = await attempt(deleteAccount, { params: { email: viewer?.email ?? '' } });
  return gone.ok ? redirect('/goodbye') : gone.refusal;
}

export default function Delete({ loaderData }: Route.ComponentProps) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting();
  const name = <strong dir="auto">{loaderData.name}</strong>;
  return (
    <Settings title={t('account.delete')}>
      <div className="mt-4 max-w-prose">
        <p>{t('account.delete_text')}</p>
        <ul className="mt-3 list-disc space-y-1 ps-6">
          {LOST.map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
        </ul>
        <p className="mt-3">{t('account.delete_stays')}</p>
        <p className="mt-3">
          {rich('account.delete_export', {
            link: (words) => (
              <a className="link" href="/me/settings/privacy#export-title">
                {words}
              </a>
            ),
          })}
        </p>
      </div>
      <SmartForm className="mt-8 grid max-w-md gap-5">
        <Field name="name" label={rich('account.delete_name', { name })} autoComplete="off" required dir="auto" />
        <div className="flex flex-wrap gap-3">
          <Button look="danger" isBusy={isSubmitting}>
            {t('account.delete_now')}
          </Button>
          <LinkButton to="/me/settings/account" look="quiet">
            {t('account.delete_not')}
          </LinkButton>
        </div>
      </SmartForm>
    </Settings>
  );
}
