import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger' | 'marigold';
type Common = { look?: Look; small?: boolean; className?: string; children: ReactNode };

function classes({ look = 'primary', small, className }: Omit<Common, 'children'>): string {
  return ['btn', `btn-${look}`, small && 'btn-small', className].filter(Boolean).join(' ');
}

type ButtonProps = Common & { isBusy?: boolean } & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>;

/** A button; `type="submit"` by default. `isBusy` keeps it focusable while its form is submitting. */
export function Button({ look, small, className, isBusy, children, type = 'submit', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classes({ look, small, className })}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {children}
    </button>
  );
}

/** A link styled as a button, for navigation. */
export function LinkButton({ look, small, className, children, ...rest }: Common & Omit<LinkProps, 'className'>) {
  return (
    <Link className={classes({ look, small, className })} {...rest}>
      {children}
    </Link>
  );
}
