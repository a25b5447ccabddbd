import { Link, useRouteLoaderData } from 'react-router';
import { readEditorial } from '@officium/contract/editorials';
import { load } from '../../server/api.ts';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Head } from '../../ui/head.tsx';
import { JsonLd } from '../../ui/json-ld.tsx';
import type { Route } from './+types/hub.page';
import { askedOf, blocksOf } from './blocks.ts';
import { FaqFacts } from './faq.tsx';
import { HubBlock } from './linked.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await load(request, context);
  return { hub: await api(readEditorial, { params: { kind: 'hubs', slug: params.slug }, query: { locale } }) };
}

export default function HubPage({ loaderData: { hub } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const root = useRouteLoaderData<RootData>('root');
  const lang = hub.shownLocale === locale ? undefined : hub.shownLocale;
  return (
    <>
      <Head title={hub.title} description={hub.summary} trail={[{ name: t('hub.hubs'), path: '/hubs' }]} />
      <JsonLd
        data={{
          '@type': 'CollectionPage',
          name: hub.title,
          description: hub.summary,
          url: `${root?.origin ?? ''}/hubs/${hub.slug}`,
          inLanguage: hub.shownLocale,
        }}
      />
      <FaqFacts questions={askedOf(hub.items)} />
      <header className="border-b border-line">
        <div className="page grid items-center gap-x-16 gap-y-8 py-8 lg:grid-cols-[minmax(0,1fr)_25rem] lg:py-14">
          <div>
            <p className="eyebrow">
              <Link to="/hubs" className="link inline-block py-1">
                {t('hub.kind_hub')}
              </Link>
            </p>
            <h1 className="mt-2 text-4xl sm:text-5xl lg:text-6xl" lang={lang} dir={lang ? 'auto' : undefined}>
              {hub.title}
            </h1>
            <p
              className="mt-4 max-w-2xl text-lg text-muted md:text-xl md:leading-relaxed"
              lang={lang}
              dir={lang ? 'auto' : undefined}
            >
              {hub.summary}
            </p>
          </div>
          <div className="aspect-video overflow-hidden rounded max-lg:order-first max-lg:max-h-52 max-lg:w-full">
            <Cover slug={hub.slug} src={hub.cover?.url} alt={hub.cover?.alt} />
          </div>
        </div>
      </header>
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-y-14 py-10 md:py-14">
        {blocksOf(hub.items).map((block) => (
          <HubBlock key={block.id} block={block} />
        ))}
      </div>
    </>
  );
}
