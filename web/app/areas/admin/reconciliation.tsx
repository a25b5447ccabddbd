import type { ReplyOf } from '@officium/contract/endpoint';
import type { readReconciliation } from '@officium/contract/operations';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';

type Props = ReplyOf<typeof readReconciliation>;

/** The last comparison with the content platform, and a button to start one. */
export function Reconciliation({ hasPlatform, last }: Props) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('reconcile');
  if (!hasPlatform) return null;
  return (
    <section className="mt-10 max-w-prose" aria-labelledby="reconciliation">
      <h2 id="reconciliation" className="mb-3 text-2xl">
        {t('admin.operations_reconciliation')}
      </h2>
      <p className="text-muted">{t('admin.operations_reconciliation_intro')}</p>
      {last ? <Last {...last} /> : null}
      <SmartForm intent="reconcile" className="mt-4">
        <Button look="secondary" isBusy={isSubmitting}>
          {t('admin.operations_reconcile')}
        </Button>
      </SmartForm>
    </section>
  );
}

function Last({ startedAt, finishedAt, published, withdrawn, error }: NonNullable<Props['last']>) {
  const { t } = useText();
  return (
    <div className="mt-4">
      <p>
        {t('admin.operations_reconcile_last')} <Time value={startedAt} look="exact" />
      </p>
      {finishedAt === null ? (
        <p>{t('admin.operations_reconcile_running')}</p>
      ) : error === null ? (
        <p>{t('admin.operations_reconcile_counts', { published, withdrawn })}</p>
      ) : (
        <p>
          {t('admin.operations_reconcile_failed')} <code>{error}</code>
        </p>
      )}
    </div>
  );
}
