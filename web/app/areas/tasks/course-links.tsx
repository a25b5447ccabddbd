import type { HelpfulCourse } from '@officium/contract/job-tasks';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';

/** Links to courses. */
export function CourseLinks({ courses }: { courses: readonly HelpfulCourse[] }) {
  const { locale } = useText();
  return (
    <ul className="mt-1.5">
      {courses.map(({ id, type, slug, title, shownLocale }) => (
        <li key={`${type} ${id}`}>
          <Link
            to={type === 'course' ? `/courses/${slug}` : `/microcourses/en/${slug}`}
            className="link inline-block py-1"
            lang={shownLocale === locale ? undefined : shownLocale}
            dir="auto"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
