import { data, useActionData } from 'react-router';
import { readSignInWays } from '@officium/contract/provider-sign-in';
import {
  addPasskey,
  confirmTotp,
  readSecondFactor,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
  startTotp,
} from '@officium/contract/second-factor';
import { act, loadSignedIn } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { useFormState } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Part } from '../../ui/part.tsx';
import { secretPageHeaders } from '../../server/secret-page.ts';
import { passkeyOf } from '../../factors/passkey-field.ts';
import type { Route } from './+types/security.page';
import { AppPart } from './app-factor.tsx';
import { PasskeysPart } from './passkey-list.tsx';
import { CodesPart, FreshCodes } from './recovery-codes.tsx';
import { Settings } from './settings.tsx';

const HERE = '/me/settings/security';

export const headers = secretPageHeaders;

/** Secrets that are shown only once. */
type Shown = { setup?: string; recoveryCodes?: string[] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, viewer } = await loadSignedIn(request, context);
  const [factors, ways] = await Promise.all([
    api(readSecondFactor),
    // An administrator's account must be connected before the organisation can sign in to it.
    viewer.role === 'administrator' ? api(readSignInWays) : undefined,
  ]);
  return { ...factors, due: viewer.secondFactorDue, provider: ways?.provider };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const id = textOf(fields, 'id');
  const intent = textOf(fields, 'intent');
  const show = (shown: Shown) => data(shown);
  const changed = () => redirectWith(HERE, { key: 'common.saved' });
  if (intent === 'app-start') {
    const started = await attempt(startTotp);
    return started.ok ? show({ setup: JSON.stringify(started.body) }) : started.refusal;
  }
  if (intent === 'app-confirm') {
    const done = await attempt(confirmTotp, { body: { code: textOf(fields, 'code') } });
    if (!done.ok) return done.refusal;
    return done.body.recoveryCodes ? show(done.body) : changed();
  }
  if (intent === 'passkey-add') {
    const body = { name: textOf(fields, 'name'), passkey: passkeyOf<never>(fields) };
    const done = await attempt(addPasskey, { body });
    if (!done.ok) return done.refusal;
    return done.body.recoveryCodes ? show({ recoveryCodes: done.body.recoveryCodes }) : changed();
  }
  if (intent === 'codes') {
    const done = await attempt(renewRecoveryCodes);
    return done.ok ? show(done.body) : done.refusal;
  }
  const done = intent.startsWith('rename-')
    ? await attempt(renamePasskey, { params: { id }, body: { name: textOf(fields, 'name') } })
    : intent.startsWith('remove-')
      ? await attempt(removePasskey, { params: { id } })
      : await attempt(removeTotp);
  return done.ok ? changed() : done.refusal;
}

export default function Security({ loaderData }: Route.ComponentProps) {
  const { totp, passkeys, recoveryCodes, due, provider } = loaderData;
  const { t } = useText();
  const state = useFormState();
  const shown = useActionData<Shown>();
  const hasFactor = totp || passkeys.length > 0;
  return (
    <Settings title={t('account.security')} intro={t('account.security_text')}>
      <div className="mt-6">
        {shown?.recoveryCodes ? (
          <FreshCodes codes={shown.recoveryCodes} />
        ) : due ? (
          <Notice>{t('account.security_due')}</Notice>
        ) : (
          <p className="font-semibold">{t(hasFactor ? 'account.security_on' : 'account.security_off')}</p>
        )}
      </div>
      <AppPart isOn={totp} setup={shown?.setup ?? state?.values?.['setup']} />
      <PasskeysPart passkeys={passkeys} />
      {hasFactor ? <CodesPart left={recoveryCodes} /> : null}
      {provider ? (
        <Part id="provider" title={t('auth.provider_sign_in', provider)} intro={t('account.provider_text')}>
          <LinkButton to={`/login/provider/start?next=${HERE}`} look="secondary" reloadDocument>
            {t('account.provider_connect')}
          </LinkButton>
        </Part>
      ) : null}
    </Settings>
  );
}
