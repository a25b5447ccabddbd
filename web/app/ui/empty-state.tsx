import type { ReactNode } from 'react';

type Props = {
  title: ReactNode;
  children?: ReactNode;
  /** The first step: a LinkButton or a form. */ action?: ReactNode;
};

/** An empty list: explains what will appear and offers the first step. */
export function EmptyState({ title, children, action }: Props) {
  return (
    <div className="rounded border border-dashed border-edge px-6 py-10 text-center">
      <svg
        viewBox="0 0 96 40"
        width="96"
        height="40"
        aria-hidden="true"
        className="mx-auto mb-4 fill-none stroke-accent stroke-2"
      >
        <path d="M8 38a16 16 0 0 1 32 0M32 38a16 16 0 0 1 32 0M56 38a16 16 0 0 1 32 0" />
        <circle cx="48" cy="8" r="4" className="fill-marigold stroke-none" />
      </svg>
      <p className="font-serif text-xl font-semibold">{title}</p>
      {children ? <p className="mx-auto mt-2 max-w-prose text-muted">{children}</p> : null}
      {action ? <div className="mt-5 flex justify-center gap-3">{action}</div> : null}
    </div>
  );
}
