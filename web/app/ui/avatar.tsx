const TINTS = [
  'bg-[#cfe5e1] text-[#0a4040]',
  'bg-[#f6dfae] text-[#4d3800]',
  'bg-[#d9dcf1] text-[#22285c]',
  'bg-[#f1d5cf] text-[#5c1e14]',
  'bg-[#dbe8cc] text-[#2c4212]',
  'bg-[#e8d6ea] text-[#4a1f50]',
];

// The font size of initials is three eighths of their circle (app.css).
const SIZES = {
  24: 'text-[9px]',
  32: 'text-[12px]',
  36: 'text-[13.5px]',
  40: 'text-[15px]',
  44: 'text-[16.5px]',
  48: 'text-[18px]',
  80: 'text-[30px]',
  128: 'text-[48px]',
} as const;
export type AvatarSize = keyof typeof SIZES;

type Props = {
  /** May be empty. */
  name: string;
  /** Address of a square picture. */
  src?: string | null;
  /** Pixels; 40 by default. */
  size?: AvatarSize;
};

/** A picture, or initials on a colour derived from the name. Decorative: show the name beside it. */
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
    <bdi aria-hidden="true" className={`initials ${SIZES[size]} ${tint}`}>
      {initialsOf(name)}
    </bdi>
  );
}

/** Initials of the first and last word; for scripts without capitals, the first letter. */
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
