import type { LucideIcon } from 'lucide-react';

type Props = {
  /** An icon of lucide-react: `<Icon as={Search} />`. */
  as: LucideIcon;
  /** Pixels; 20 unless told. */
  size?: number;
  /** Points along the line of text (arrows, chevrons) and is mirrored right to left. */
  directional?: boolean;
  className?: string;
};

/** A decorative icon, hidden from screen readers: the text beside it, or the control's label, says what it means. */
export function Icon({ as: Shape, size = 20, directional, className = '' }: Props) {
  return (
    <Shape
      aria-hidden="true"
      focusable="false"
      size={size}
      strokeWidth={1.75}
      className={`shrink-0 ${directional ? 'rtl:-scale-x-100' : ''} ${className}`}
    />
  );
}
