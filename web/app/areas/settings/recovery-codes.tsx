import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Part } from '../../ui/part.tsx';

/** New recovery codes, shown only once. */
export function FreshCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useText();
  return (
    <Notice tone="success" title={t('account.codes_fresh')} live>
      <p>{t('account.codes_keep')}</p>
      <ul className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 font-mono" dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Notice>
  );
}

export function CodesPart({ left }: { left: number }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('codes');
  return (
    <Part id="codes" title={t('account.codes')} intro={t('account.codes_text')}>
      <p className="mb-4 font-semibold">{t('account.codes_left', { count: left })}</p>
      <SmartForm intent="codes">
        <Button look="secondary" isBusy={isSubmitting}>
          {t('account.codes_renew')}
        </Button>
      </SmartForm>
    </Part>
  );
}
