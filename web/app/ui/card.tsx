import type { ReactNode } from 'react';
import { Link } from 'react-router';

type CardProps = {
  to: string;
  title: ReactNode;
  /** A `Cover`, above the text. */
  cover?: ReactNode;
  /** One line above the title: the kind of content. */
  kicker?: ReactNode;
  /** One line below: minutes, members, dates. */
  meta?: ReactNode;
  children?: ReactNode;
  /** Heading level. */
  level?: 2 | 3;
  /** Language of the title and text when it differs from the page's. */
  lang?: string;
};

/** A card with a cover; all of it is clickable through its one link. */
export function Card({ to, title, cover, kicker, meta, children, level = 3, lang }: CardProps) {
  const Heading = `h${level}` as const;
  return (
    <article className="card flex h-full flex-col overflow-hidden hover:border-accent">
      {cover ? <div className="aspect-[16/9] overflow-hidden border-b border-line">{cover}</div> : null}
      <div className="flex flex-1 flex-col gap-1.5 p-5">
        {kicker ? <p className="eyebrow">{kicker}</p> : null}
        <Heading className="text-2xl" lang={lang} dir={lang ? 'auto' : undefined}>
          <Link to={to} className="title-link stretched">
            {title}
          </Link>
        </Heading>
        {children ? (
          <div className="text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
            {children}
          </div>
        ) : null}
        {meta ? (
          <div className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-1 pt-3 text-sm text-muted">{meta}</div>
        ) : null}
      </div>
    </article>
  );
}

type RowProps = Omit<CardProps, 'cover'> & {
  /** An `Avatar` or a small `Cover`, before the text. */
  lead?: ReactNode;
  /** A button or a tag, after the text. */
  action?: ReactNode;
};

/** The same as a list row, between hairlines: put several in a `RowList`. */
export function Row({ to, title, lead, kicker, meta, children, action, level = 3, lang }: RowProps) {
  const Heading = `h${level}` as const;
  return (
    <li className="relative flex flex-wrap items-start gap-x-4 gap-y-2 py-4">
      {lead}
      <div className="min-w-0 flex-1 basis-48">
        {kicker ? <p className="eyebrow">{kicker}</p> : null}
        <Heading className="text-xl" lang={lang} dir={lang ? 'auto' : undefined}>
          <Link to={to} className="title-link">
            {title}
          </Link>
        </Heading>
        {children ? (
          <div className="mt-0.5 text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
            {children}
          </div>
        ) : null}
        {meta ? <div className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">{meta}</div> : null}
      </div>
      {action ? <div className="shrink-0">{action}</div> : null}
    </li>
  );
}

export function RowList({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line border-y border-line">{children}</ul>;
}
