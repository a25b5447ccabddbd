import type { startTotp } from '@officium/contract/second-factor';
import type { ReplyOf } from '@officium/contract/endpoint';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { AppCode } from '../../factors/app-code.tsx';
import { RemoveForm } from '../../ui/remove-form.tsx';
import { Part } from '../../ui/part.tsx';

/** The authenticator app: none, being set up, or in use. `setup` is the API's reply, carried in the form. */
export function AppPart({ isOn, setup }: { isOn: boolean; setup: string | undefined }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('app-start');
  return (
    <Part id="app" title={t('account.app')} intro={t('account.app_text')}>
      {isOn ? (
        <>
          <p className="font-semibold">{t('account.app_on')}</p>
          <RemoveForm intent="app-remove" label={t('account.app_remove')} text={t('account.factor_lost')} />
        </>
      ) : setup ? (
        <Setup setup={setup} />
      ) : (
        <SmartForm intent="app-start">
          <Button look="secondary" isBusy={isSubmitting}>
            {t('account.app_start')}
          </Button>
        </SmartForm>
      )}
    </Part>
  );
}

function Setup({ setup }: { setup: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('app-confirm');
  const { secret, qrCode } = JSON.parse(setup) as ReplyOf<typeof startTotp>; // written by this page
  return (
    <div className="grid gap-6">
      <p className="max-w-prose">{t('account.app_scan')}</p>
      {/* Cameras only read dark on light, whatever the theme. */}
      <img src={qrCode} alt={t('account.app_picture')} width="208" height="208" className="rounded bg-white" />
      <div>
        <p className="text-sm text-muted">{t('account.app_secret')}</p>
        <p className="mt-1 font-mono text-lg wrap-anywhere" dir="ltr">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </p>
      </div>
      <SmartForm intent="app-confirm" className="grid max-w-md gap-5">
        <input type="hidden" name="setup" value={setup} />
        <AppCode />
        <div>
          <Button isBusy={isSubmitting}>{t('account.app_confirm')}</Button>
        </div>
      </SmartForm>
    </div>
  );
}
