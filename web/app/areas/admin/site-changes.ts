import type { SiteIdentity } from '@officium/contract/site';

export type SiteChange = { field: keyof SiteIdentity; locale?: string; before: string; after: string };

const TEXTS = ['note', 'headline', 'lead'] as const;
const isText = (field: string): field is (typeof TEXTS)[number] => TEXTS.some((one) => one === field);

/** A value as one line; empty for none. */
function lineOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(lineOf).join(', ');
  if (typeof value !== 'object') return String(value);
  if ('layout' in value) return designLine(value as SiteIdentity['certificate']);
  const { key, url, label } = value as { key?: string; url?: string; label?: Record<string, string> }; // a logo or a link
  if (key !== undefined) return `${key.slice(0, 8)}…`;
  return `${Object.values(label ?? {}).join(' / ')} ${url ?? ''}`.trim();
}

/** The design of certificates in one line; empty for the first one. */
function designLine({ layout, colour, showsLogo, pictures, signatures }: SiteIdentity['certificate']): string {
  const people = signatures.map(({ name, office }) => [name, ...Object.values(office)].join(' / '));
  const keys = Object.values(pictures).map(lineOf);
  const look = [layout === 'pattern' ? '' : layout, colour ?? '', showsLogo ? '' : '✕ logo'];
  return [...look, ...keys, ...people].filter(Boolean).join(', ');
}

/** The differences of two versions; texts for each language. The first version differs in everything that is set. */
export function changesBetween(before: SiteIdentity | undefined, after: SiteIdentity): SiteChange[] {
  const fields = Object.keys(after) as (keyof SiteIdentity)[]; // its own keys
  return fields.flatMap((field): SiteChange[] => {
    if (isText(field)) {
      const [was, is] = [before?.[field] ?? {}, after[field]];
      return [...new Set([...Object.keys(was), ...Object.keys(is)])].toSorted().flatMap((locale) => {
        const change = { field, locale, before: was[locale] ?? '', after: is[locale] ?? '' };
        return change.before === change.after ? [] : [change];
      });
    }
    const change = { field, before: lineOf(before?.[field]), after: lineOf(after[field]) };
    const isUnset = !before && field === 'defaultLanguage' && change.after === 'en';
    return change.before === change.after || isUnset ? [] : [change];
  });
}
