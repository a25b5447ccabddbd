import { load } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { useSiteName } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/privacy.page';
import { readOwnText } from './own-text.load.ts';
import { OwnTextPart } from './own-text.tsx';

const POINTS = ['kept', 'shown', 'cookies', 'logs', 'others', 'leave'] as const;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await load(request, context);
  return { text: await readOwnText({ api, site: context.get(pageContext).site, locale }, 'privacy') };
}

/** The privacy page: what the site says itself, the data stored about people, and their choices. */
export default function Privacy({ loaderData: { text } }: Route.ComponentProps) {
  const { t } = useText();
  const lead = t('about.privacy_lead', { site: useSiteName() });
  return (
    <article className="page max-w-read py-10 md:py-14">
      <Head title={t('about.privacy_title')} description={lead} />
      <h1 className="text-4xl">{t('about.privacy_title')}</h1>
      {text ? <OwnTextPart text={text} /> : null}
      <p className="mt-4 font-serif text-lg">{lead}</p>
      {POINTS.map((point) => (
        <section key={point}>
          <h2 className="mt-8 text-2xl">{t(`about.privacy_${point}_title`)}</h2>
          <p className="mt-2">{t(`about.privacy_${point}_text`)}</p>
        </section>
      ))}
    </article>
  );
}
