import { useEffect, useState } from 'react';
import { useSubmit } from 'react-router';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { readPush } from '@officium/contract/push';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useViewerId } from '../../offline/offline.ts';
import { PushRefused, readPushState, subscribe, unsubscribe, type PushState } from '../../offline/push.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { deviceOf } from '../../ui/device.ts';
import { Icon } from '../../ui/icon.tsx';
import { Part } from '../../ui/part.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { deviceIcon, deviceName } from './device-name.tsx';

type Push = ReplyOf<typeof readPush>;
type Shown = Push['devices'][number];

/** The state of this browser, once it is known; read again when the list of devices changes. */
function usePushState(devices: readonly Shown[]): PushState | undefined {
  const [state, setState] = useState<PushState>();
  useEffect(() => {
    let isGone = false;
    readPushState().then(
      (found) => isGone || setState(found),
      () => isGone || setState({ is: 'unsupported' }),
    );
    return () => {
      isGone = true;
    };
  }, [devices]);
  return state;
}

/** Switches notifications of this device on, and lists the devices that show them. */
export function PushPart({ push: { publicKey, devices } }: { push: Push }) {
  const { t } = useText();
  const state = usePushState(devices);
  const here = state?.is === 'on' ? devices.find(({ fingerprint }) => fingerprint === state.fingerprint) : undefined;
  return (
    <Part id="push" title={t('account.by_push')} intro={t('account.push_text')}>
      {devices.length > 0 ? (
        <ul className="mb-6 divide-y divide-line border-y border-line">
          {devices.map((device) => (
            <Row key={device.id} device={device} isHere={device === here} />
          ))}
        </ul>
      ) : null}
      {state === undefined ? (
        <p className="hidden text-muted noscript:block">{t('account.push_none')}</p>
      ) : state.is === 'unsupported' ? (
        <p className="text-muted">{t('account.push_none')}</p>
      ) : state.is === 'blocked' ? (
        <p role="status" className="font-semibold">
          {t('account.push_blocked')}
        </p>
      ) : here ? (
        <p className="font-semibold">{t('account.push_is_on')}</p>
      ) : (
        <SwitchOn publicKey={publicKey} />
      )}
    </Part>
  );
}

function SwitchOn({ publicKey }: { publicKey: string }) {
  const { t } = useText();
  const person = useViewerId();
  const submit = useSubmit();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const switchOn = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      const subscription = await subscribe(publicKey, person ?? '');
      await submit({ intent: 'push-on', subscription }, { method: 'post' });
    } catch (error) {
      setFailure(t(error instanceof PushRefused ? 'account.push_dismissed' : 'account.push_failed'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <SmartForm
      intent="push-on"
      onSubmit={(event) => {
        event.preventDefault();
        void switchOn();
      }}
    >
      {failure ? (
        <p role="alert" className="mb-4 max-w-prose font-semibold text-danger">
          {failure}
        </p>
      ) : null}
      <Button look="secondary" isBusy={isBusy}>
        {t('account.push_on')}
      </Button>
    </SmartForm>
  );
}

function Row({ device: { id, userAgent, createdAt }, isHere }: { device: Shown; isHere: boolean }) {
  const text = useText();
  const { t, rich } = text;
  const { isSubmitting } = useSubmitting(`push-end-${id}`);
  const device = deviceOf(userAgent);
  const name = deviceName(text, device);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <Icon as={deviceIcon(device)} size={28} className="text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <bdi title={userAgent ?? undefined}>{name}</bdi>
          {isHere ? <Tag look="accent">{t('account.this_device')}</Tag> : null}
        </p>
        <p className="text-sm text-muted">
          {rich('account.push_since', { time: <Time value={createdAt} look="date" /> })}
        </p>
      </div>
      <SmartForm
        intent={`push-end-${id}`}
        // The API ends it in any case; the browser need not keep what nobody uses.
        onSubmit={() => void (isHere && unsubscribe().catch(() => undefined))}
      >
        <input type="hidden" name="id" value={id} />
        <Button look="secondary" isBusy={isSubmitting} aria-label={t('account.push_end_of', { device: name })}>
          {t('account.push_end')}
        </Button>
      </SmartForm>
    </li>
  );
}
