import { Card } from '../../ui/card.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Duration } from '../../ui/duration.tsx';
import type { Front } from './front.ts';

export function CourseCards({ courses }: Pick<Front, 'courses'>) {
  return (
    <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
      {courses.map((course) => (
        <li key={course.slug}>
          <Card
            to={`/courses/${course.slug}`}
            title={course.title}
            lang={course.lang}
            cover={<Cover slug={course.slug} src={course.cover} />}
            meta={<Duration minutes={course.minutes} />}
          >
            {course.subtitle}
          </Card>
        </li>
      ))}
    </ul>
  );
}
