import type { SiteSetup } from '@officium/contract/site-setup';
import { SmartForm } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { addressOfStep, isFinished, nextOpen, progressOf } from './setup-words.ts';

/** On the overview until every step is done or skipped, or an administrator hides it. */
export function SetupCard({ setup }: { setup: SiteSetup }) {
  const { t } = useText();
  if (setup.putAwayAt !== null || isFinished(setup)) return null;
  const { done, total } = progressOf(setup);
  return (
    <section aria-labelledby="setup" className="mb-10 rounded border border-line bg-card p-5">
      <h2 id="setup" className="text-2xl">
        {t('admin.setup')}
      </h2>
      <p className="mt-1">{t('admin.setup_progress', { done, total })}</p>
      <progress value={done} max={total} aria-hidden="true" className="mt-2 w-full max-w-sm" />
      <div className="mt-3 flex flex-wrap gap-3">
        <LinkButton to={addressOfStep(nextOpen(setup))}>{t('admin.setup_start')}</LinkButton>
        <LinkButton to="/admin/setup" look="secondary">
          {t('admin.setup_all')}
        </LinkButton>
        <SmartForm intent="put-away" action="/admin/setup">
          <Button look="quiet">{t('admin.setup_put_away')}</Button>
        </SmartForm>
      </div>
    </section>
  );
}
