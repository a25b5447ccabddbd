import type { SharedDiscussion } from '@officium/contract/lesson-shares';
import { useText } from '../../text.tsx';

/** The lesson discussion that a post shares. Plain HTML, for `LinkArea`. */
export function SharedCard({
  shared: { id, text, course, journeySlug, lesson, reaction_counts },
}: {
  shared: SharedDiscussion;
}) {
  const { t } = useText();
  const path = [course.slug, journeySlug, lesson.slug].map(encodeURIComponent).join('/');
  return (
    <a href={`/courses/${path}#post-${id}`} className="card mt-4 block px-4 py-3 hover:border-accent">
      <span className="block text-sm text-muted">
        {t('community.shared_discussion')} · <bdi>{course.title}</bdi>
      </span>
      <span dir="auto" className="mt-1 block font-semibold wrap-anywhere">
        {lesson.title}
      </span>
      {text ? (
        <span dir="auto" className="mt-0.5 block text-sm wrap-anywhere">
          {text}
        </span>
      ) : null}
      <span className="mt-1 block text-sm text-muted">
        {t('community.replies_count', { count: reaction_counts.reply })}
      </span>
    </a>
  );
}
