import { KeyRound } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useSubmit } from 'react-router';
import { useLight } from '../light/light.ts';
import { askPasskey, fetchOptions, type PasskeyUse } from './browser-passkeys.ts';
import { useText } from '../text.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { usePasskeys } from './passkeys.ts';

type Props = {
  use: PasskeyUse;
  /** The options for the device, or the operation that returns them. */
  from: { options: unknown } | { path: string };
  /** Intent of the form that submits the device’s response. */
  intent: string;
  look?: 'primary' | 'secondary';
  label: string;
  /** Additional fields of the form. */
  children?: ReactNode;
};

/** Requests a passkey from the user’s device and submits the response. Renders nothing in browsers without passkeys. */
export function PasskeyButton(props: Props) {
  return import.meta.env.SSR && useLight() ? <LightPasskeyButton {...props} /> : <LivePasskeyButton {...props} />;
}

/** The same on light pages, where light/script.ts shows and operates it. */
function LightPasskeyButton({ from, intent, look = 'secondary', label, children }: Props) {
  const { t } = useText();
  const asked = 'path' in from ? { 'data-passkey-path': from.path } : { 'data-passkey': JSON.stringify(from.options) };
  return (
    <form method="post" className="grid gap-4" hidden {...asked}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="passkey" />
      {children}
      <p aria-live="assertive" className="font-semibold text-danger" data-failure={t('auth.passkey_failed')} />
      <div>
        <Button look={look}>
          <Icon as={KeyRound} />
          {label}
        </Button>
      </div>
    </form>
  );
}

function LivePasskeyButton({ use, from, intent, look = 'secondary', label, children }: Props) {
  const { t, maybe } = useText();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (!usePasskeys()) return null;

  const ask = async () => {
    setFailure(undefined);
    setBusy(true);
    try {
      const given = 'path' in from ? await fetchOptions(from.path) : from;
      if (!('options' in given)) {
        if (given.code === 'auth.recent_sign_in_required' && form.current)
          await submit(form.current); // refused: the server redirects to the confirmation
        else setFailure((given.code && maybe(`errors.${given.code}`)) ?? t('auth.passkey_failed'));
        return;
      }
      const passkey = await askPasskey(use, given.options);
      if (passkey === undefined || !form.current) return;
      const fields = new FormData(form.current);
      fields.set('passkey', passkey);
      await submit(fields, { method: 'post' });
    } catch {
      setFailure(t('auth.passkey_failed'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      ref={form}
      method="post"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <input type="hidden" name="intent" value={intent} />
      {children}
      {failure ? (
        <p role="alert" className="font-semibold text-danger">
          {failure}
        </p>
      ) : null}
      <div>
        <Button look={look} isBusy={isBusy}>
          <Icon as={KeyRound} />
          {label}
        </Button>
      </div>
    </form>
  );
}
