import { Link, useRouteLoaderData } from 'react-router';
import { readEditorial, type Editorial } from '@officium/contract/editorials';
import { load } from '../../server/api.ts';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Head } from '../../ui/head.tsx';
import { JsonLd, useOrganization } from '../../ui/json-ld.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { BlockText } from '../../ui/block-text.tsx';
import type { Route } from './+types/editorial.page';
import { toQuestion } from './faq.tsx';
import { chosenLanguage } from './languages.ts';
import { LinkedRows } from './linked.tsx';
import { ReadIn, ShownInstead } from './read-in.tsx';

// A question with its answer at /questions/:slug, a solution article at /solutions/:slug.

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await load(request, context);
  const kind = url.pathname.startsWith('/questions/') ? 'questions' : 'solutions';
  const wanted = chosenLanguage(url) ?? locale;
  const editorial = await api(readEditorial, { params: { kind, slug: params.slug }, query: { locale: wanted } });
  return { kind, editorial, wanted } as const;
}

export default function EditorialPage({ loaderData: { kind, editorial, wanted } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const { slug, title, summary, cover, items, html } = editorial;
  const bodyLocale = editorial.bodyLocale ?? editorial.shownLocale;
  return (
    <article className="page py-8 md:py-12">
      <Head
        title={title}
        description={kind === 'questions' ? plainText(html ?? '', 200) : summary}
        type="article"
        trail={[{ name: t(`hub.${kind}`), path: `/${kind}` }]}
      />
      <Facts kind={kind} editorial={editorial} />
      <div className="mx-auto max-w-read">
        {kind === 'solutions' ? (
          <div className="no-print mb-7 aspect-[21/6] overflow-hidden rounded">
            <Cover slug={slug} src={cover?.url} alt={cover?.alt} />
          </div>
        ) : null}
        <Heading kind={kind} editorial={editorial} />
        {bodyLocale === wanted ? null : (
          <div className="mt-6">
            <ShownInstead shown={bodyLocale} wanted={wanted} />
          </div>
        )}
        <div className="pt-8 font-serif [&_table]:font-sans [&_table]:text-base">
          <BlockText html={html ?? ''} lang={bodyLocale === locale ? undefined : bodyLocale} />
        </div>
        {items.length > 0 ? (
          <section aria-labelledby="related" className="no-print mt-12">
            <h2 id="related" className="mb-3 text-2xl">
              {t('hub.related')}
            </h2>
            <LinkedRows cards={items} />
          </section>
        ) : null}
        <p className="no-print mt-12 border-t-2 border-ink pt-5">
          <Link to={`/${kind}`} className="link">
            {t(`hub.${kind}_all`)}
          </Link>
        </p>
      </div>
    </article>
  );
}

type Shown = { kind: 'questions' | 'solutions'; editorial: Editorial };

/** Title, summary and languages. */
function Heading({ kind, editorial }: Shown) {
  const { t, locale } = useText();
  const { slug, title, summary } = editorial;
  const titleLang = editorial.shownLocale === locale ? undefined : editorial.shownLocale;
  return (
    <header className="border-b border-line pb-5">
      <p className="eyebrow">
        <Link to={`/${kind}`} className="link inline-block py-1">
          {t(`hub.${kind}`)}
        </Link>
      </p>
      <h1 className="mt-1 text-4xl sm:text-5xl" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
        {title}
      </h1>
      {summary ? (
        <p className="mt-3 text-lg text-muted" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
          {summary}
        </p>
      ) : null}
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1 text-muted empty:hidden">
        <ReadIn
          locales={editorial.locales}
          shown={editorial.bodyLocale ?? editorial.shownLocale}
          path={`/${kind}/${slug}`}
        />
      </div>
      {editorial.humanTranslation || editorial.locales.length < 2 ? null : (
        <p className="mt-2 text-sm text-muted">{t('learning.machine_translated')}</p>
      )}
    </header>
  );
}

/** https://schema.org/QAPage, or an article. */
function Facts({ kind, editorial }: Shown) {
  const origin = useRouteLoaderData<RootData>('root')?.origin ?? '';
  const publisher = useOrganization();
  if (kind === 'questions')
    return <JsonLd data={{ '@type': 'QAPage', mainEntity: { ...toQuestion(editorial), answerCount: 1 } }} />;
  const { title, summary, slug, cover, bodyLocale, shownLocale } = editorial;
  return (
    <JsonLd
      data={{
        '@type': 'Article',
        headline: title,
        description: summary,
        url: `${origin}/solutions/${slug}`,
        inLanguage: bodyLocale ?? shownLocale,
        ...(cover ? { image: origin + cover.url } : {}),
        publisher,
      }}
    />
  );
}
