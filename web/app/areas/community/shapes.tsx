// Drawn by hand instead of by the icon library: a feed has two of these for each of its thirty posts.

const common = { className: 'line-icon', width: 18, height: 18, viewBox: '0 0 24 24', 'aria-hidden': true } as const;

const HEART =
  'M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5';

export const heart = (
  <svg {...common}>
    <path d={HEART} />
  </svg>
);

export const fullHeart = (
  <svg {...common} className="line-icon is-full">
    <path d={HEART} />
  </svg>
);

export const speech = (
  <svg {...common}>
    <path d="M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719" />
  </svg>
);
