const TINTS = [
  'fill-[#cfe5e1] text-[#0a4040]',
  'fill-[#f6dfae] text-[#4d3800]',
  'fill-[#d9dcf1] text-[#22285c]',
  'fill-[#f1d5cf] text-[#5c1e14]',
  'fill-[#dbe8cc] text-[#2c4212]',
  'fill-[#e8d6ea] text-[#4a1f50]',
];

type Props = {
  /** Empty for someone without a name. */
  name: string;
  /** Address of a square picture. */
  src?: string | null;
  /** Pixels; 40 unless told. */
  size?: number;
};

/** A face, or initials on a tint that stays the same for a name. Decorative: put the name beside it. */
export function Avatar({ name, src, size = 40 }: Props) {
  if (src) {
    return (
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        className="shrink-0 rounded-full bg-sunk object-cover"
      />
    );
  }
  const tint = TINTS[hash(name) % TINTS.length];
  return (
    <svg viewBox="0 0 40 40" width={size} height={size} aria-hidden="true" className={`shrink-0 ${tint}`}>
      <circle cx="20" cy="20" r="20" />
      <text x="20" y="20" dy=".36em" textAnchor="middle" fontSize="15" fontWeight="650" className="fill-current">
        {initialsOf(name)}
      </text>
    </svg>
  );
}

/** First letters of the first and last word; for scripts without capitals, the first letter. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = [...(words[0] ?? '')][0] ?? '';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  const hasCapitals = first.toUpperCase() !== first.toLowerCase();
  return (hasCapitals ? first + last : first).toUpperCase() || '·';
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return value;
}
