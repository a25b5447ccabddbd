import type { Shades } from '#server/site/accent.ts';
import type { Site } from '#server/site/site.ts';

/** The colour of the mark and of browsers' own surfaces, unless the site has chosen one; web/app/app.css has the same. */
const DEFAULT_BRAND = '#0b6e6e';

const brandOf = ({ accent }: Pick<Site, 'accent'>) => accent?.light.accent ?? DEFAULT_BRAND;

const valuesOf = ({ accent, strong, soft, onAccent }: Shades) =>
  `--accent:${accent};--accent-strong:${strong};--accent-soft:${soft};--on-accent:${onAccent}`;

/** The style sheet with the site's own colour; it overrides the tokens of web/app/app.css. */
export function siteCssOf(site: Pick<Site, 'accent'>): string {
  const { accent } = site;
  if (accent === null) return '';
  const dark = valuesOf(accent.dark);
  return `:root{--brand:${brandOf(site)};${valuesOf(accent.light)}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme='light']){${dark}}}
@media screen{:root[data-theme='dark']{${dark}}}
`;
}

/** The icon of browser tabs: the mark, in the site's colour. */
export function faviconOf(site: Pick<Site, 'accent'>): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${brandOf(site)}"/><path d="M6 24a10 10 0 0 1 20 0z" fill="#fbfaf7"/><circle cx="16" cy="9" r="3.4" fill="#ffc53d"/></svg>`;
}

/** The web app manifest. */
export function manifestOf(site: Pick<Site, 'name' | 'accent'>): string {
  return JSON.stringify({
    id: '/',
    name: site.name,
    short_name: site.name,
    start_url: '/',
    display: 'standalone',
    background_color: '#fbfaf7',
    theme_color: brandOf(site),
    icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }],
  });
}
