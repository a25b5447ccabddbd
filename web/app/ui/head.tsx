import { useLocation, useRouteLoaderData } from 'react-router';
import { isLocale } from '@officium/i18n/locales';
import type { RootData } from '../root-data.ts';
import { DEFAULT_NAME, useLanguages } from '../site.ts';
import { useText } from '../text.tsx';
import { SharedAs } from './shared-as.tsx';

type Props = {
  /** Page title without the site name. */
  title: string;
  /** One sentence; required for pages that may be shared. */
  description?: string;
  /** Text of its share picture when it is not the title; server/feeds/picture.service.ts must use the same. */
  pictureTitle?: string;
  /** Address of the cover its picture shows; server/feeds/picture.service.ts must take the same. */
  pictureCover?: string;
  type?: 'website' | 'article' | 'profile';
  /** Excludes the page from search engines, for the viewer's private pages. */
  isPrivate?: boolean;
  /** Breadcrumb: its parent pages from the top. */
  trail?: { name: string; path: string }[];
  /** Path of a feed of its news. */
  feed?: string;
};

/** Query parameters that change the content of a page; any other is ignored, such as tracking parameters. */
const MEANT = ['academy', 'category', 'language', 'length', 'mine', 'offset', 'order', 'page', 'q', 'topic'];

/** Title, description, canonical and language links, and metadata for sharing. */
export function Head(props: Props) {
  const { title, description, pictureTitle = title, pictureCover, type = 'website', isPrivate, trail, feed } = props;
  const { locale } = useText();
  const { pathname, search } = useLocation();
  const root = useRouteLoaderData<RootData>('root');
  const origin = root?.origin ?? '';
  const address = addressOf(origin + pathname, search);
  const asked = new URLSearchParams(search).get('locale');
  const languages = useLanguages();
  const canonical = isLocale(asked) && languages.includes(asked) ? address(asked) : address();
  const name = root?.site.name ?? DEFAULT_NAME;
  const fullTitle = pathname === '/' ? `${name}: ${title}` : `${title} · ${name}`;
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
            : languages.map((one) => <link key={one} rel="alternate" hrefLang={one} href={address(one)} />)}
          <link rel="alternate" hrefLang="x-default" href={address()} />
          {feed ? (
            <link rel="alternate" type="application/atom+xml" title={title} href={`${feed}?locale=${locale}`} />
          ) : null}
          {import.meta.env.SSR ? (
            <SharedAs
              page={{ pathname, canonical, origin, locale }}
              site={name}
              title={title}
              description={description}
              type={type}
              pictureTitle={pictureTitle}
              pictureCover={pictureCover}
              trail={trail && !root?.viewer ? [...trail, { name: title, path: pathname }] : null}
            />
          ) : null}
        </>
      )}
    </>
  );
}

/** Returns the address of a page in a language, or without one. */
function addressOf(page: string, search: string): (locale?: string) => string {
  const given = new URLSearchParams(search);
  return (locale) => {
    const query = new URLSearchParams([...given].filter(([name]) => MEANT.includes(name)));
    if (locale) query.set('locale', locale);
    return query.size ? `${page}?${query}` : page;
  };
}
