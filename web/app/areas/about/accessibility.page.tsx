import { load } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { useSiteName } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/accessibility.page';
import results from './accessibility-results.json';
import { readOwnText } from './own-text.load.ts';
import { OwnTextPart } from './own-text.tsx';

const POINTS = ['keyboard', 'zoom', 'language', 'script', 'motion', 'contrast'] as const;
const GAPS = ['audit', 'pdf', 'people'] as const;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await load(request, context);
  return { text: await readOwnText({ api, site: context.get(pageContext).site, locale }, 'accessibility') };
}

/** The accessibility statement, after what the site says itself. Its figures come from the last `npm run accessibility`. */
export default function Accessibility({ loaderData: { text } }: Route.ComponentProps) {
  const { t, rich } = useText();
  const lead = t('about.accessibility_lead', { site: useSiteName() });
  return (
    <article className="page max-w-read py-10 md:py-14">
      <Head title={t('about.accessibility_title')} description={lead} />
      <h1 className="text-4xl">{t('about.accessibility_title')}</h1>
      {text ? <OwnTextPart text={text} /> : null}
      <p className="mt-4 font-serif text-lg">{lead}</p>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_works')}</h2>
      <ul className="mt-3 list-disc space-y-2 ps-6">
        {POINTS.map((point) => (
          <li key={point}>{t(`about.accessibility_${point}`)}</li>
        ))}
      </ul>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_standard')}</h2>
      <p className="mt-3">{t('about.accessibility_standard_text')}</p>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_tested')}</h2>
      <Tested />
      <p className="mt-3 text-muted">
        {rich('about.accessibility_checked', {
          date: <Time key="date" value={results.date} look="date" />,
          version: results.chromium,
        })}
      </p>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_known')}</h2>
      <ul className="mt-3 list-disc space-y-2 ps-6">
        {GAPS.map((gap) => (
          <li key={gap}>{t(`about.accessibility_gap_${gap}`)}</li>
        ))}
      </ul>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_tell')}</h2>
      <p className="mt-3">{t('about.accessibility_tell_text')}</p>
      <p className="mt-3">{t('about.accessibility_answer')}</p>
    </article>
  );
}

function Tested() {
  const { t } = useText();
  const { axe: version, screens, views, settled, journeys } = results;
  return (
    <ul className="mt-3 list-disc space-y-2 ps-6">
      <li>{t('about.accessibility_tested_axe', { version, screens, views })}</li>
      {settled ? <li>{t('about.accessibility_tested_contrast', { count: settled })}</li> : null}
      <li>{t('about.accessibility_tested_keyboard', { count: journeys })}</li>
      <li>{t('about.accessibility_tested_states')}</li>
    </ul>
  );
}
