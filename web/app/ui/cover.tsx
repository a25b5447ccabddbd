import { HEIGHT, patternOf, WIDTH } from './cover-pattern.ts';

type Props = {
  /** Seed of the pattern. */
  slug: string;
  /** Address of a picture; without one, the pattern is drawn. */
  src?: string | null;
  /** Alternative text. Patterns are decorative, and so are pictures by default. */
  alt?: string;
  className?: string;
};

/** A picture, or a pattern drawn from the slug: arcs, tiles or waves. Fills its box. */
export function Cover({ slug, src, alt = '', className = '' }: Props) {
  if (src)
    return (
      <img src={src} alt={alt} loading="lazy" decoding="async" className={`size-full object-cover ${className}`} />
    );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={`block size-full ${className}`}
    >
      {patternOf(slug).map(({ fill, d }, index) => (
        <path key={index} fill={fill} d={d} />
      ))}
    </svg>
  );
}
