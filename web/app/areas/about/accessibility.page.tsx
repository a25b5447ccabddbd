import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';

const POINTS = ['keyboard', 'zoom', 'language', 'script', 'motion', 'contrast'] as const;

/** The accessibility statement. */
export default function Accessibility() {
  const { t } = useText();
  return (
    <article className="page max-w-read py-10 md:py-14">
      <Head title={t('about.accessibility_title')} description={t('about.accessibility_lead')} />
      <h1 className="text-4xl">{t('about.accessibility_title')}</h1>
      <p className="mt-4 font-serif text-lg">{t('about.accessibility_lead')}</p>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_works')}</h2>
      <ul className="mt-3 list-disc space-y-2 ps-6">
        {POINTS.map((point) => (
          <li key={point}>{t(`about.accessibility_${point}`)}</li>
        ))}
      </ul>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_known')}</h2>
      <ul className="mt-3 list-disc space-y-2 ps-6">
        <li>{t('about.accessibility_gap_pdf')}</li>
        <li>{t('about.accessibility_gap_people')}</li>
      </ul>
      <h2 className="mt-10 text-2xl">{t('about.accessibility_tell')}</h2>
      <p className="mt-3">{t('about.accessibility_tell_text')}</p>
    </article>
  );
}
