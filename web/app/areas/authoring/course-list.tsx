import { Link } from 'react-router';
import type { Piece } from '@officium/contract/authoring';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Tag } from '../../ui/tag.tsx';
import { addressOf, LOOKS } from './kinds.ts';
import { can } from './rights.ts';
import { titleOf } from './title.ts';

/** The courses of an academy, for people with a role in it. Administrators choose them in the form instead. */
export function CourseList({ piece }: { piece: Pick<Piece, 'key' | 'courses' | 'capabilities'> }) {
  const { t, locale } = useText();
  if (!piece.capabilities) return null;
  return (
    <section id="courses" aria-labelledby="courses-title" className="mt-10 border-t border-line pt-6">
      <h3 id="courses-title" className="text-2xl">
        {t('admin.content_field_courses')}
      </h3>
      <ul className="mt-2 divide-y divide-line">
        {piece.courses.map((course) => {
          const { text, lang } = titleOf(course.title, locale);
          return (
            <li key={course.key} className="flex flex-wrap items-center gap-3 py-2">
              <Link to={addressOf('course', course.key)} className="link inline-block py-1.5" lang={lang} dir="auto">
                {text}
              </Link>
              <Tag look={LOOKS[course.state]}>{t(`admin.content_state_${course.state}`)}</Tag>
            </li>
          );
        })}
      </ul>
      {can(piece, 'edit-content') ? (
        <p className="mt-4">
          <LinkButton to={`/admin/content/new?kind=course&parent=${encodeURIComponent(piece.key)}`} look="secondary">
            {t('admin.content_new_course')}
          </LinkButton>
        </p>
      ) : null}
    </section>
  );
}
