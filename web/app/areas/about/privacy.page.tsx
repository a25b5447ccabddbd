import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';

const POINTS = ['kept', 'shown', 'cookies', 'logs', 'others', 'leave'] as const;

/** The privacy page: the data stored about people, and their choices. */
export default function Privacy() {
  const { t } = useText();
  return (
    <article className="page max-w-read py-10 md:py-14">
      <Head title={t('about.privacy_title')} description={t('about.privacy_lead')} />
      <h1 className="text-4xl">{t('about.privacy_title')}</h1>
      <p className="mt-4 font-serif text-lg">{t('about.privacy_lead')}</p>
      {POINTS.map((point) => (
        <section key={point}>
          <h2 className="mt-8 text-2xl">{t(`about.privacy_${point}_title`)}</h2>
          <p className="mt-2">{t(`about.privacy_${point}_text`)}</p>
        </section>
      ))}
    </article>
  );
}
