// Drawn by hand instead of by the icon library: a feed has one for each option of each poll.

const common = { width: 20, height: 20, viewBox: '0 0 24 24', 'aria-hidden': true } as const;
const open = { ...common, className: 'line-icon text-muted' } as const;
const chosen = { ...common, className: 'line-icon text-accent' } as const;

const CIRCLE = <circle cx="12" cy="12" r="10" />;
const SQUARE = <rect x="3" y="3" width="18" height="18" rx="2" />;

/** Markers of an option: in single or multiple choice polls, selected or not. */
export const marks = {
  one: {
    open: <svg {...open}>{CIRCLE}</svg>,
    own: (
      <svg {...chosen}>
        {CIRCLE}
        <path d="m8 12.2 2.7 2.7L16 9.5" />
      </svg>
    ),
  },
  many: {
    open: <svg {...open}>{SQUARE}</svg>,
    own: (
      <svg {...chosen}>
        {SQUARE}
        <path d="m8 12.2 2.7 2.7L16 9.5" />
      </svg>
    ),
  },
};
