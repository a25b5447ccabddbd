import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useScrollToCurrent } from './scroll-to-current.ts';

type Tab = { to: string; label: ReactNode; isCurrent: boolean; count?: string };

/** Views of one thing as links, so that each has an address. `label` is the accessible name. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const row = useScrollToCurrent<HTMLElement>();
  return (
    <nav ref={row} aria-label={label} className="overflow-x-auto border-b border-line">
      <ul className="flex gap-x-6 md:flex-wrap">
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
              to={tab.to}
              preventScrollReset
              aria-current={tab.isCurrent ? 'page' : undefined}
              className={`here flex min-h-11 items-center gap-2 whitespace-nowrap ${tab.isCurrent ? 'font-semibold' : 'text-muted hover:text-accent'}`}
            >
              {tab.label}
              {tab.count === undefined ? null : <span className="text-sm text-muted tabular-nums">{tab.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
