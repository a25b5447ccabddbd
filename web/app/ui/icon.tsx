import type { LucideIcon } from 'lucide-react';

type Props = {
  /** An icon of lucide-react: `<Icon as={Search} />`. */
  as: LucideIcon;
  /** Pixels; 20 by default. */
  size?: number;
  /** Points along the text direction (arrows, chevrons), so it is mirrored in right-to-left pages. */
  directional?: boolean;
  className?: string;
};

/** A decorative icon, hidden from screen readers: the text beside it or the control's label carries the meaning. */
export function Icon({ as: Shape, size = 20, directional, className = '' }: Props) {
  return (
    <Shape
      aria-hidden="true"
      focusable="false"
      size={size}
      className={`icon ${directional ? 'rtl:-scale-x-100' : ''} ${className}`}
    />
  );
}
