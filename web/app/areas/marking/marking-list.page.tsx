import { listMarking, MARKING_STATES } from '@officium/contract/marking';
import { Link } from 'react-router';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { pageNumberOf } from '../../form/page-number.ts';
import { useText } from '../../text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/marking-list.page';
import { listAddress, markingPath } from './marking.ts';

type Row = Route.ComponentProps['loaderData']['attempts'][number];

const ON_PAGE = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'mark-answers');
  const state = MARKING_STATES.find((each) => each === url.searchParams.get('state')) ?? 'waiting';
  const course = url.searchParams.get('course') || undefined;
  const page = pageNumberOf(url);
  const offset = (page - 1) * ON_PAGE;
  const list = await api(listMarking, {
    query: { state, course, locale, limit: String(ON_PAGE), offset: String(offset) },
  });
  return { ...list, state, course, page, hasMore: offset + list.attempts.length < list.counted };
}

export default function MarkingList({ loaderData }: Route.ComponentProps) {
  const { attempts, state, course, page, hasMore } = loaderData;
  const { t } = useText();
  const at = (to: number) => listAddress({ state, course, page: to });
  return (
    <Admin title={t('admin.marking')} intro={t('admin.marking_intro')}>
      <Ways {...loaderData} />
      {attempts.length > 0 ? <Table attempts={attempts} /> : <EmptyState title={t('admin.marking_none')} />}
      <Pagination
        page={page}
        previous={page > 1 ? at(page - 1) : undefined}
        next={hasMore ? at(page + 1) : undefined}
      />
    </Admin>
  );
}

/** The states, and the courses with attempts that wait. */
function Ways({ state, course, courses }: Pick<Route.ComponentProps['loaderData'], 'state' | 'course' | 'courses'>) {
  const { t, number } = useText();
  const isHere = (where: { state: string; course?: string | undefined }) =>
    where.state === state && where.course === course ? 'page' : undefined;
  const ways = [
    ...MARKING_STATES.map((each) => ({ state: each, course: undefined, label: t(`admin.marking_${each}`) })),
    ...courses.map(({ id, title, waiting }) => ({
      state: 'waiting' as const,
      course: id,
      label: `${title} (${number(waiting)})`,
    })),
  ];
  return (
    <nav aria-label={t('admin.marking')} className="mb-8 border-b border-line">
      <ul className="flex flex-wrap gap-x-5">
        {ways.map((way) => (
          <li key={`${way.state} ${way.course ?? ''}`}>
            <Link
              to={listAddress(way)}
              aria-current={isHere(way)}
              className="flex min-h-11 items-center border-b-4 border-transparent hover:text-accent aria-[current]:border-marigold aria-[current]:font-semibold"
            >
              <bdi>{way.label}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Table({ attempts }: { attempts: Row[] }) {
  const { t, number } = useText();
  const columns: Column<Row>[] = [
    {
      name: 'name',
      label: t('admin.extra_time_name'),
      isHeading: true,
      cell: ({ id, learner }) => (
        <Link to={markingPath(id)} className="link inline-block py-1.5 wrap-anywhere">
          <bdi>{learner.name}</bdi>
        </Link>
      ),
    },
    { name: 'lesson', label: t('admin.content_kind_lesson'), cell: ({ lesson }) => <bdi>{lesson.title}</bdi> },
    { name: 'course', label: t('admin.content_kind_course'), cell: ({ course }) => <bdi>{course.title}</bdi> },
    { name: 'at', label: t('admin.marking_submitted'), cell: ({ submittedAt }) => <Time value={submittedAt} /> },
    {
      name: 'result',
      label: t('admin.people_state'),
      cell: ({ score, passed }) =>
        score === null
          ? t('admin.marking_waiting')
          : `${number(score / 100, { style: 'percent' })} · ${t(passed ? 'assessment.passed' : 'assessment.failed')}`,
    },
  ];
  return <DataTable caption={t('admin.marking')} columns={columns} rows={attempts} keyOf={({ id }) => id} />;
}
