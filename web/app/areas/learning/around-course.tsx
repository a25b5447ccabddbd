import { Link } from 'react-router';
import type { EditorialCard } from '@officium/contract/editorials';
import { useText } from '../../text.tsx';
import { Faq, FaqFacts } from './faq.tsx';

export type AroundCourse = { questions: EditorialCard[]; hubs: EditorialCard[] };

export function Around({ around: { questions, hubs } }: { around: AroundCourse }) {
  const { t, locale } = useText();
  const asked = questions.map((one) => ({ ...one, path: `/questions/${one.slug}` }));
  return (
    <>
      <FaqFacts questions={asked} />
      {asked.length > 0 ? (
        <section aria-labelledby="faq">
          <h2 id="faq" className="mb-5 text-3xl md:text-4xl">
            {t('hub.faq')}
          </h2>
          <Faq questions={asked} />
        </section>
      ) : null}
      {hubs.length > 0 ? (
        <section aria-labelledby="hubs">
          <h2 id="hubs" className="mb-3 text-2xl">
            {t('hub.in_hubs')}
          </h2>
          <ul>
            {hubs.map((hub) => {
              const lang = hub.shownLocale === locale ? undefined : hub.shownLocale;
              return (
                <li key={hub.slug}>
                  <Link to={`/hubs/${hub.slug}`} className="link inline-block py-1.5" lang={lang}>
                    {hub.title}
                  </Link>
                </li>
              );
            })}
          </ul>
        </section>
      ) : null}
    </>
  );
}
