import type { readSecondFactor } from '@officium/contract/second-factor';
import type { ReplyOf } from '@officium/contract/endpoint';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Time } from '../../ui/time.tsx';
import { PasskeyButton } from '../../factors/passkey-button.tsx';
import { usePasskeys } from '../../factors/passkeys.ts';
import { RemoveForm } from '../../ui/remove-form.tsx';
import { Part } from '../../ui/part.tsx';

type Passkey = ReplyOf<typeof readSecondFactor>['passkeys'][number];

export function PasskeysPart({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { t } = useText();
  const canUse = usePasskeys();
  return (
    <Part id="passkeys" title={t('account.passkeys')} intro={t('account.passkeys_text')}>
      {passkeys.length > 0 ? (
        <ul className="mb-6 divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      ) : null}
      {canUse ? (
        <div className="max-w-md">
          <PasskeyButton
            use="make"
            from={{ path: '/api/auth/users/me/passkeys/options' }}
            intent="passkey-add"
            label={t('account.passkey_add')}
          >
            <Field
              id="passkey-name"
              name="name"
              label={t('account.passkey_name')}
              hint={t('account.passkey_name_hint')}
              autoComplete="off"
              maxLength={60}
              required
            />
          </PasskeyButton>
        </div>
      ) : (
        <p className="text-muted">{t('account.passkeys_none')}</p>
      )}
    </Part>
  );
}

function Row({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting(`rename-${id}`);
  return (
    <li className="py-4">
      <p className="font-semibold wrap-anywhere">
        <bdi>{name}</bdi>
      </p>
      <p className="text-sm text-muted">
        {rich('account.passkey_made', { time: <Time value={createdAt} look="date" /> })}
        {lastUsedAt ? <> · {rich('account.passkey_used', { time: <Time value={lastUsedAt} /> })}</> : null}
      </p>
      <details className="mt-1">
        <summary className="link inline-flex min-h-11 cursor-pointer items-center">
          {t('account.passkey_rename')}…
        </summary>
        <SmartForm intent={`rename-${id}`} className="mt-2 mb-4 grid max-w-md gap-4">
          <input type="hidden" name="id" value={id} />
          <Field
            name="name"
            label={t('account.passkey_name')}
            defaultValue={name}
            autoComplete="off"
            maxLength={60}
            required
          />
          <div>
            <Button look="secondary" isBusy={isSubmitting}>
              {t('common.save')}
            </Button>
          </div>
        </SmartForm>
      </details>
      <RemoveForm intent={`remove-${id}`} id={id} label={t('account.passkey_remove')} text={t('account.factor_lost')} />
    </li>
  );
}
