import { useState } from 'react';
import { useText } from '../../text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { areKeysOn, switchKeys } from './keys-switch.ts';

/** The keyboard shortcuts of a lesson, and the switch for them. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useText();
  const [isOn, setOn] = useState(areKeysOn);
  const keys = [
    ['N', t('learning.key_next')],
    ['P', t('learning.key_previous')],
    ['C', t('learning.key_complete')],
    ['?', t('learning.key_help')],
  ] as const;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('learning.keys')}>
      <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="inline-block min-w-6 rounded border border-edge px-1.5 text-center font-sans">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex min-h-9 items-center gap-2.5">
        <input
          id="keys-on"
          type="checkbox"
          className="choice"
          checked={isOn}
          onChange={(event) => {
            setOn(event.target.checked);
            switchKeys(event.target.checked);
          }}
        />
        <label htmlFor="keys-on">{t('learning.keys_on')}</label>
      </div>
    </Dialog>
  );
}
