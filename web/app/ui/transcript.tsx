import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Transcript } from '@officium/contract/transcripts';
import { useText } from '../text.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Icon } from './icon.tsx';
import { Time } from './time.tsx';
import { UtcDay } from './validity.tsx';

type Completed = Transcript['completed'][number];
type Current = Transcript['current'][number];
type Sums = { name: string } & Transcript['sums'];

/** The tables of a transcript, for its person and for administrators. */
export function TranscriptTables({ transcript }: { transcript: Transcript }) {
  const { t, date } = useText();
  const { completed, current, asOf } = transcript;
  return (
    <>
      <p className="text-muted">
        {t('transcript.as_of', { date: date(asOf, { dateStyle: 'medium', timeZone: 'UTC' }) })}
      </p>
      <Part id="years" title={t('transcript.years')}>
        <YearsTable transcript={transcript} />
        {completed.some(({ certificate }) => certificate?.status === 'revoked') ? (
          <p className="mt-2 text-sm text-muted">{t('transcript.revoked_text')}</p>
        ) : null}
      </Part>
      <Part id="completed" title={t('learning.completed')}>
        {completed.length === 0 ? <p>{t('transcript.none')}</p> : <CompletedTable completed={completed} />}
      </Part>
      {current.length === 0 ? null : (
        <Part id="open" title={t('transcript.open')}>
          <CurrentTable current={current} />
        </Part>
      )}
    </>
  );
}

/** Links to the transcript as files. */
export function TranscriptFiles({ pdf, csv }: { pdf: string; csv: string }) {
  const { t } = useText();
  return (
    <>
      <a href={pdf} download className="btn btn-secondary">
        <Icon as={Download} />
        {t('learning.certificate_download')}
      </a>
      <a href={csv} download className="btn btn-secondary">
        <Icon as={Download} />
        {t('transcript.csv')}
      </a>
    </>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className="mb-3 text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

function YearsTable({ transcript: { years, sums: total } }: { transcript: Transcript }) {
  const { t, number } = useText();
  const columns: Column<Sums>[] = [
    { name: 'year', label: t('transcript.year'), cell: ({ name }) => name, isHeading: true },
    { name: 'courses', label: t('common.courses'), cell: ({ courses }) => number(courses), isNumber: true },
    {
      name: 'microcourses',
      label: t('learning.microcourses'),
      cell: ({ microcourses }) => number(microcourses),
      isNumber: true,
    },
    { name: 'minutes', label: t('transcript.minutes'), cell: ({ minutes }) => number(minutes), isNumber: true },
  ];
  const rows = [
    ...years.map(({ year, ...sums }) => ({ name: String(year), ...sums })),
    { name: t('transcript.total'), ...total },
  ];
  return <DataTable caption={t('transcript.years')} columns={columns} rows={rows} keyOf={({ name }) => name} />;
}

export function CompletedTable({ completed }: { completed: Completed[] }) {
  const { t, number } = useText();
  const columns: Column<Completed>[] = [
    { name: 'title', label: t('transcript.course'), cell: (row) => <CompletedTitle row={row} />, isHeading: true },
    {
      name: 'completedAt',
      label: t('transcript.completed_on'),
      cell: ({ completedAt }) => <Time value={completedAt} look="date" />,
    },
    { name: 'minutes', label: t('transcript.minutes'), cell: ({ minutes }) => number(minutes), isNumber: true },
    { name: 'certificate', label: t('transcript.certificate'), cell: (row) => <CertificateState row={row} /> },
  ];
  const keyOf = ({ kind, title, journeyTitle, completedAt }: Completed) =>
    [kind, title, journeyTitle, completedAt].join(' ');
  return <DataTable caption={t('learning.completed')} columns={columns} rows={completed} keyOf={keyOf} />;
}

function CompletedTitle({ row: { title, journeyTitle, courseSlug, microcourseSlug } }: { row: Completed }) {
  const { t } = useText();
  const path =
    courseSlug !== null
      ? `/courses/${courseSlug}`
      : microcourseSlug !== null
        ? `/microcourses/en/${microcourseSlug}`
        : null;
  return <Title title={title} part={journeyTitle ?? t('learning.microcourse')} path={path} />;
}

/** Withdrawn courses and microcourses have no link. */
function Title({ title, part, path }: { title: string; part: string; path: string | null }) {
  return (
    <>
      {path === null ? (
        <bdi>{title}</bdi>
      ) : (
        <Link to={path} className="link">
          <bdi>{title}</bdi>
        </Link>
      )}
      {part === title ? null : (
        <span className="font-normal text-muted">
          {' · '}
          <bdi>{part}</bdi>
        </span>
      )}
    </>
  );
}

function CertificateState({ row: { certificate } }: { row: Completed }) {
  if (!certificate) return <>–</>;
  const { pathname } = new URL(certificate.verificationUrl);
  return (
    <>
      <Valid certificate={certificate} />
      {' · '}
      <Link to={pathname} className="link">
        <bdi>{certificate.number}</bdi>
      </Link>
    </>
  );
}

function Valid({ certificate: { status, expiresAt } }: { certificate: NonNullable<Completed['certificate']> }) {
  const { t, rich } = useText();
  if (status === 'revoked' || expiresAt === null)
    return <>{t(`transcript.${status === 'revoked' ? status : 'valid'}`)}</>;
  const date = <UtcDay value={expiresAt} />;
  return <>{rich(status === 'expired' ? 'learning.expired_on' : 'learning.valid_until', { date })}</>;
}

export function CurrentTable({ current }: { current: Current[] }) {
  const { t, date } = useText();
  const columns: Column<Current>[] = [
    {
      name: 'title',
      label: t('transcript.course'),
      cell: ({ courseTitle, journeyTitle, courseSlug }) => (
        <Title title={courseTitle} part={journeyTitle} path={courseSlug === null ? null : `/courses/${courseSlug}`} />
      ),
      isHeading: true,
    },
    {
      name: 'progress',
      label: t('transcript.progress'),
      cell: ({ completedLessons, mandatoryLessons }) =>
        t('learning.progress_caption', { completed: completedLessons, count: mandatoryLessons }),
    },
    {
      name: 'due',
      label: t('transcript.due'),
      cell: ({ dueOn }) => (dueOn === null ? '–' : date(dueOn, { dateStyle: 'medium', timeZone: 'UTC' })),
    },
    {
      name: 'status',
      label: t('transcript.status'),
      cell: ({ status }) =>
        t(
          status === 'enrolled'
            ? 'transcript.current'
            : status === 'expired'
              ? 'transcript.ended'
              : 'transcript.pending',
        ),
    },
  ];
  const keyOf = ({ courseTitle, journeyTitle }: Current) => `${courseTitle} ${journeyTitle}`;
  return <DataTable caption={t('transcript.open')} columns={columns} rows={current} keyOf={keyOf} />;
}
