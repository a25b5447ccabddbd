import { Link } from 'react-router';
import { useText } from '../../text.tsx';

/** Links to the academies a course belongs to. */
export function AcademyLinks({ academies }: { academies: readonly { slug: string; title: string }[] }) {
  const { t, rich } = useText();
  if (academies.length === 0) return <p className="eyebrow">{t('learning.course')}</p>;
  return (
    <p className="eyebrow">
      {rich('learning.course_by', {
        academies: academies.map(({ slug, title }, index) => (
          <span key={slug}>
            {index > 0 ? ' · ' : ''}
            <Link to={`/academies/${slug}`} className="link inline-block py-1">
              {title}
            </Link>
          </span>
        )),
      })}
    </p>
  );
}
