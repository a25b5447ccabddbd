import { useLocation, useRouteLoaderData } from 'react-router';
import { isLocale, LOCALES } from '@officium/i18n/locales';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { JsonLd } from './json-ld.tsx';
import { PICTURE, picturePath } from './share-picture.ts';

type Props = {
  /** Title of the page, without the name of the site. */
  title: string;
  /** One sentence; pages that may be shared have one. */
  description?: string;
  /** What its picture says, where that is not the title; server/feeds/picture.service.ts must say the same. */
  pictureTitle?: string;
  type?: 'website' | 'article' | 'profile';
  /** Keep it out of search engines: pages about one person's own things. */
  isPrivate?: boolean;
  /** The pages it stands under, from the top. */
  trail?: { name: string; path: string }[];
  /** Path of a feed of what is new here. */
  feed?: string;
};

/** What of a query changes what a page shows; anything else is somebody's way of counting visits. */
const MEANT = ['academy', 'category', 'language', 'length', 'mine', 'offset', 'order', 'page', 'q', 'topic'];

/** Title, description, canonical and language links, and what other sites show of a shared page. */
export function Head({ title, description, pictureTitle = title, type = 'website', isPrivate, trail, feed }: Props) {
  const { locale } = useText();
  const { pathname, search } = useLocation();
  const root = useRouteLoaderData<RootData>('root');
  const origin = root?.origin ?? '';
  const address = addressOf(origin + pathname, search);
  const asked = new URLSearchParams(search).get('locale');
  const canonical = isLocale(asked) ? address(asked) : address();
  const fullTitle = pathname === '/' ? `Officium: ${title}` : `${title} · Officium`;
  const picture = origin + (picturePath(pathname, locale, pictureTitle) ?? '/social.png');
  return (
    <>
      <title>{fullTitle}</title>
      {description ? <meta name="description" content={description} /> : null}
      {isPrivate ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={canonical} />
          {root?.viewer
            ? null
            : LOCALES.map((one) => <link key={one} rel="alternate" hrefLang={one} href={address(one)} />)}
          <link rel="alternate" hrefLang="x-default" href={address()} />
          {feed ? (
            <link rel="alternate" type="application/atom+xml" title={title} href={`${feed}?locale=${locale}`} />
          ) : null}
          <meta property="og:site_name" content="Officium" />
          <meta property="og:type" content={type} />
          <meta property="og:title" content={title} />
          <meta property="og:url" content={canonical} />
          <meta property="og:locale" content={locale.replace('-', '_')} />
          {description ? <meta property="og:description" content={description} /> : null}
          <meta property="og:image" content={picture} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(PICTURE.width)} />
          <meta property="og:image:height" content={String(PICTURE.height)} />
          <meta property="og:image:alt" content={pictureTitle} />
          <meta name="twitter:card" content="summary_large_image" />
          <meta name="twitter:title" content={title} />
          {description ? <meta name="twitter:description" content={description} /> : null}
          <meta name="twitter:image" content={picture} />
          {trail && !root?.viewer ? (
            <Trail steps={[...trail, { name: title, path: pathname }]} origin={origin} />
          ) : null}
        </>
      )}
    </>
  );
}

/** The address of a page in a language, or in whatever language its reader has. */
function addressOf(page: string, search: string): (locale?: string) => string {
  const given = new URLSearchParams(search);
  return (locale) => {
    const query = new URLSearchParams([...given].filter(([name]) => MEANT.includes(name)));
    if (locale) query.set('locale', locale);
    return query.size ? `${page}?${query}` : page;
  };
}

function Trail({ steps, origin }: { steps: { name: string; path: string }[]; origin: string }) {
  return (
    <JsonLd
      data={{
        '@type': 'BreadcrumbList',
        itemListElement: steps.map(({ name, path }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name,
          item: origin + path,
        })),
      }}
    />
  );
}
