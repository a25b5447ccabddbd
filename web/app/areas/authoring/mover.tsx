import type { ArrowUp } from 'lucide-react';
import type { MouseEventHandler } from 'react';
import { Icon } from '../../ui/icon.tsx';

type Props = {
  value: string;
  label: string;
  icon: typeof ArrowUp;
  isOff: boolean;
  /** May move it in the page, and then keeps the form from being submitted. */
  onPress?: MouseEventHandler<HTMLButtonElement>;
};

/** A button that moves an item by one position; `intent` tells its form which item. */
export function Mover({ value, label, icon, isOff, onPress }: Props) {
  return (
    <button
      name="intent"
      value={value}
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onPress}
      className="inline-flex size-11 items-center justify-center rounded border border-line bg-card hover:border-accent hover:text-accent disabled:opacity-40"
    >
      <Icon as={icon} size={18} />
    </button>
  );
}
