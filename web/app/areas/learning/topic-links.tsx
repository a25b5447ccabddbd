import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { topicKey, topicSlug, type Topic } from '../../topics.ts';

/** The topics of a course, microcourse or academy; each leads to the catalogue filtered by it. */
export function TopicLinks({ topics }: { topics: readonly Topic[] }) {
  const { t } = useText();
  if (topics.length === 0) return null;
  return (
    <ul aria-label={t('article.topics')} className="relative z-10 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {topics.map((topic) => (
        <li key={topic}>
          <Link to={`/courses?topic=${topicSlug(topic)}`} className="link inline-block py-1">
            {t(topicKey(topic))}
          </Link>
        </li>
      ))}
    </ul>
  );
}
