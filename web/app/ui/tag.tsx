import type { ReactNode } from 'react';
import { Link } from 'react-router';

const LOOKS = {
  plain: 'border-line bg-sunk text-ink',
  accent: 'border-accent bg-accent-soft text-ink',
  success: 'border-success bg-success-soft text-ink',
  danger: 'border-danger bg-danger-soft text-ink',
  here: 'border-[#a87a00] bg-marigold text-[#1b1f3b]',
};

type Props = { look?: keyof typeof LOOKS; children: ReactNode; /** Makes it a link. */ to?: string };

/** A short label: a topic or a state. */
export function Tag({ look = 'plain', children, to }: Props) {
  const className = `inline-flex min-h-6 items-center gap-1 rounded-full border px-2.5 text-sm ${LOOKS[look]}`;
  if (!to) return <span className={className}>{children}</span>;
  return (
    <Link to={to} className={`${className} hover:border-accent hover:text-accent`}>
      {children}
    </Link>
  );
}
