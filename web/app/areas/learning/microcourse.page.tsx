import { Link, useRouteLoaderData } from 'react-router';
import { readMicrocourse } from '@officium/contract/content';
import { load } from '../../api.ts';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Head } from '../../ui/head.tsx';
import { JsonLd } from '../../ui/json-ld.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import type { Route } from './+types/microcourse.page';
import { chosenLanguage } from './languages.ts';
import { durationOf } from './learner.ts';
import { ReadIn, ShownInstead } from './read-in.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await load(request, context);
  const wanted = chosenLanguage(url) ?? locale;
  return { microcourse: await api(readMicrocourse, { params, query: { locale: wanted } }), wanted };
}

export default function MicrocoursePage({ loaderData: { microcourse, wanted } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const root = useRouteLoaderData<RootData>('root');
  const path = `/microcourses/en/${microcourse.slug}`;
  const titleLang = microcourse.shownLocale === locale ? undefined : microcourse.shownLocale;
  return (
    <article className="page py-8 md:py-12">
      <Head title={microcourse.title} description={microcourse.summary} type="article" />
      <JsonLd
        data={{
          '@type': 'LearningResource',
          name: microcourse.title,
          description: microcourse.summary,
          url: `${root?.origin ?? ''}${path}`,
          inLanguage: microcourse.bodyLocale,
          timeRequired: durationOf(microcourse.minutes),
          isAccessibleForFree: true,
          provider: { '@type': 'Organization', name: 'Officium', url: `${root?.origin ?? ''}/` },
        }}
      />
      <div className="mx-auto max-w-read">
        <div className="no-print mb-7 aspect-[21/6] overflow-hidden rounded">
          <Cover slug={microcourse.slug} src={microcourse.cover?.url} alt={microcourse.cover?.alt} />
        </div>
        <header className="border-b border-line pb-5">
          <p className="eyebrow">
            <Link to="/courses" className="link inline-block py-1">
              {t('learning.microcourse')}
            </Link>
          </p>
          <h1 className="mt-1 text-4xl sm:text-5xl" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
            {microcourse.title}
          </h1>
          <p className="mt-3 text-lg text-muted" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
            {microcourse.summary}
          </p>
          <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1 text-muted">
            <span>{t('common.minutes', { count: microcourse.minutes })}</span>
            <ReadIn locales={microcourse.locales} shown={microcourse.bodyLocale} path={path} />
          </div>
        </header>
        {microcourse.bodyLocale === wanted ? null : (
          <div className="mt-6">
            <ShownInstead shown={microcourse.bodyLocale} wanted={wanted} />
          </div>
        )}
        <div className="pt-8 font-serif [&_table]:font-sans [&_table]:text-base">
          <RichText
            html={microcourse.html}
            lang={microcourse.bodyLocale === locale ? undefined : microcourse.bodyLocale}
          />
        </div>
        <p className="no-print mt-12 border-t-2 border-ink pt-5">
          <Link to="/courses#microcourses" className="link">
            {t('learning.microcourses_more')}
          </Link>
        </p>
      </div>
    </article>
  );
}
