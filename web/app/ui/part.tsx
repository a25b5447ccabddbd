import type { ReactNode } from 'react';

type PartProps = { id: string; title: string; intro?: ReactNode; children: ReactNode };

/** A titled section of a page. */
export function Part({ id, title, intro, children }: PartProps) {
  return (
    <section className="mt-10 border-t border-line pt-8" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="text-2xl">
        {title}
      </h2>
      {intro ? <p className="mt-1 max-w-prose text-muted">{intro}</p> : null}
      <div className="mt-4">{children}</div>
    </section>
  );
}
