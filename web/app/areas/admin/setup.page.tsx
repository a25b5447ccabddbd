import { Link } from 'react-router';
import { readSiteSetup, updateSiteSetup } from '@officium/contract/site-setup';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import type { Route } from './+types/setup.page';
import { addressOfStep, isFinished, nextOpen, progressOf, STEP_TITLES } from './setup-words.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return { setup: await api(readSiteSetup) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const isPutAway = fields.get('intent') === 'put-away';
  const saved = await attempt(updateSiteSetup, { body: { isPutAway } });
  if (!saved.ok) return saved.refusal;
  return isPutAway ? redirectWith('/admin', { key: 'admin.setup_put_away_done', tone: 'info' }) : redirect('/admin');
}

export default function Setup({ loaderData: { setup } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <Admin title={t('admin.setup')} intro={t('admin.setup_intro')}>
      <p className="mb-3 font-semibold">{t('admin.setup_progress', progressOf(setup))}</p>
      <ol className="max-w-2xl divide-y divide-line border-y border-line">
        {setup.steps.map(({ step, outcome }) => (
          <li key={step} className="flex min-h-12 flex-wrap items-center justify-between gap-x-6">
            <Link to={addressOfStep(step)} className="link py-2.5">
              {t(STEP_TITLES[step])}
            </Link>
            <span className={outcome === 'done' ? 'text-success' : 'text-muted'}>
              {t(`admin.setup_outcome_${outcome ?? 'open'}`)}
            </span>
          </li>
        ))}
      </ol>
      <div className="mt-6 flex flex-wrap gap-3">
        {isFinished(setup) ? null : (
          <LinkButton to={addressOfStep(nextOpen(setup))}>{t('admin.setup_start')}</LinkButton>
        )}
        <SmartForm intent="later">
          <Button look="secondary" isBusy={isSubmitting}>
            {t('admin.setup_later')}
          </Button>
        </SmartForm>
        {setup.putAwayAt === null ? (
          <SmartForm intent="put-away">
            <Button look="quiet" isBusy={isSubmitting}>
              {t('admin.setup_put_away')}
            </Button>
          </SmartForm>
        ) : null}
      </div>
    </Admin>
  );
}
