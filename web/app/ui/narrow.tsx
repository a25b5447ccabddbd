import type { ReactNode } from 'react';
import { Head } from './head.tsx';

type Props = { title: string; intro?: ReactNode; step?: string; children: ReactNode };

/** A page with one short form, excluded from search engines. */
export function Narrow({ title, intro, step, children }: Props) {
  return (
    <div className="page py-10 md:py-16">
      <Head title={title} isPrivate />
      <div className="mx-auto max-w-md">
        {step ? <p className="eyebrow">{step}</p> : null}
        <h1 className="text-4xl">{title}</h1>
        {intro ? <div className="mt-3 text-lg text-muted">{intro}</div> : null}
        <div className="mt-8">{children}</div>
      </div>
    </div>
  );
}
