import type { Locale } from '@officium/i18n/locales';
import { JsonLd } from './json-ld.tsx';
import { PICTURE, picturePath } from './share-picture.ts';

type Props = {
  page: { pathname: string; canonical: string; origin: string; locale: Locale };
  site: string;
  title: string;
  description: string | undefined;
  type: string;
  pictureTitle: string;
  pictureCover: string | undefined;
  /** The page and its parents from the top; null for members, whom crawlers are not. */
  trail: { name: string; path: string }[] | null;
};

/** Metadata that other sites show for the page. Only the server renders it, because they read nothing later. */
export function SharedAs({ page, site, title, description, type, pictureTitle, pictureCover, trail }: Props) {
  const { pathname, canonical, origin, locale } = page;
  const drawn = picturePath(pathname, locale, { title: pictureTitle, cover: pictureCover, site });
  const picture = origin + (drawn ?? '/social.png');
  return (
    <>
      <meta property="og:site_name" content={site} />
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
      {trail ? <Trail steps={trail} origin={origin} /> : null}
    </>
  );
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
