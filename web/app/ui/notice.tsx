import type { ReactNode } from 'react';
import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Icon } from './icon.tsx';

export type Tone = 'info' | 'success' | 'danger';

const TONES = {
  info: { icon: Info, box: 'border-accent bg-accent-soft', mark: 'text-accent' },
  success: { icon: CircleCheck, box: 'border-success bg-success-soft', mark: 'text-success' },
  danger: { icon: TriangleAlert, box: 'border-danger bg-danger-soft', mark: 'text-danger' },
};

type Props = {
  tone?: Tone;
  title?: ReactNode;
  children: ReactNode;
  /** Announce it when it appears. */ live?: boolean;
};

/** A message within the page. */
export function Notice({ tone = 'info', title, children, live }: Props) {
  const { icon, box, mark } = TONES[tone];
  return (
    <div
      role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      className={`flex gap-3 rounded border-s-4 p-4 ${box}`}
    >
      <Icon as={icon} className={`mt-0.5 ${mark}`} />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        <div>{children}</div>
      </div>
    </div>
  );
}
