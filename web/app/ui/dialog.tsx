import { useEffect, useId, useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { useText } from '../text.tsx';
import { Icon } from './icon.tsx';

type Props = { isOpen: boolean; onClose: () => void; title: ReactNode; children: ReactNode };

/**
 * A native modal dialog: Esc and the backdrop close it, and the focus returns to where it was. It needs script; offer a
 * page for the same action to visitors without.
 */
export function Dialog({ isOpen, onClose, title, children }: Props) {
  const { t } = useText();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        <button type="button" onClick={onClose} className="btn btn-quiet -me-2 -mt-2" aria-label={t('common.close')}>
          <Icon as={X} />
        </button>
      </div>
      <div className="mt-4">{children}</div>
    </dialog>
  );
}
