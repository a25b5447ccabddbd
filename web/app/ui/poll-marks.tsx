// Drawn once and not by the icon library: a feed has one for each option of each poll.

const common = {
  width: 20,
  height: 20,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  className: 'shrink-0 text-muted',
  'aria-hidden': true,
} as const;
const chosen = { ...common, className: 'shrink-0 text-accent' } as const;

const CIRCLE = <circle cx="12" cy="12" r="10" />;
const SQUARE = <rect x="3" y="3" width="18" height="18" rx="2" />;

/** What stands before an option: of a poll of one choice or of several, chosen by the reader or not. */
export const marks = {
  one: {
    open: <svg {...common}>{CIRCLE}</svg>,
    own: (
      <svg {...chosen}>
        {CIRCLE}
        <path d="m8 12.2 2.7 2.7L16 9.5" />
      </svg>
    ),
  },
  many: {
    open: <svg {...common}>{SQUARE}</svg>,
    own: (
      <svg {...chosen}>
        {SQUARE}
        <path d="m8 12.2 2.7 2.7L16 9.5" />
      </svg>
    ),
  },
};
