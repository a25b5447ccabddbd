import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Part } from '../../ui/part.tsx';
import { CompletedTable, CurrentTable } from '../../ui/transcript.tsx';
import { type Enrolment, ENROLMENT_STATES, EnrolmentEnd } from './enrolment-end-form.tsx';
import type { loadLearning } from './person-learning.load.ts';

type Learning = Awaited<ReturnType<typeof loadLearning>>;

/** The learning of a person with progress, dates and certificates, and what administrators do about it. */
export function PersonLearning({ learning }: { learning: Learning }) {
  const { t } = useText();
  const { completed, current, enrolments, courses, cohorts } = learning;
  return (
    <Part id="learning" title={t('admin.people_learning')}>
      <Titled title={t('transcript.open')} isShown={current.length > 0}>
        <CurrentTable current={current} />
      </Titled>
      <Titled title={t('learning.completed')} isShown>
        {completed.length > 0 ? <CompletedTable completed={completed} /> : <p>{t('transcript.none')}</p>}
      </Titled>
      <Titled title={t('admin.enrol_records')} isShown={enrolments.length > 0}>
        <Enrolments rows={enrolments} />
      </Titled>
      {cohorts.length === 0 ? (
        <p className="mt-6 text-muted">
          {t('admin.people_no_cohort')}{' '}
          <Link to="/admin/cohorts/new" className="link inline-block py-1">
            {t('admin.cohorts_new')}
          </Link>
        </p>
      ) : (
        <>
          <EnrolForm courses={courses} cohorts={cohorts} />
          <CohortForm cohorts={cohorts} />
        </>
      )}
    </Part>
  );
}

function Titled({ title, isShown, children }: { title: string; isShown: boolean; children: ReactNode }) {
  if (!isShown) return null;
  return (
    <>
      <h3 className="mt-6 mb-2 text-xl">{title}</h3>
      {children}
    </>
  );
}

function Enrolments({ rows }: { rows: Enrolment[] }) {
  const { t } = useText();
  const columns: Column<Enrolment>[] = [
    {
      name: 'slug',
      label: t('admin.cohorts_title'),
      isHeading: true,
      cell: ({ type, slug }) => (
        <Link to={`/${type}/${slug}`} className="link -my-1 inline-block py-1">
          <bdi>{slug}</bdi>
        </Link>
      ),
    },
    { name: 'status', label: t('admin.people_state'), cell: ({ status }) => t(ENROLMENT_STATES[status]) },
    { name: 'until', label: t('admin.enrol_until'), cell: (row) => <EnrolmentEnd row={row} about={row.slug} /> },
  ];
  return <DataTable caption={t('admin.enrol_records')} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

const FORM = 'mt-3 grid max-w-3xl items-end gap-4 sm:grid-cols-2';

function EnrolForm({ courses, cohorts }: Pick<Learning, 'courses' | 'cohorts'>) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('enrol');
  return (
    <>
      <h3 className="mt-8 text-xl">{t('admin.enrol_title')}</h3>
      <SmartForm intent="enrol" className={FORM}>
        <Select name="course" label={t('admin.content_kind_course')} options={courses} required />
        <Select name="cohort" label={t('admin.overview_cohort')} options={cohorts} required />
        <Field name="expiresOn" type="date" label={t('admin.enrol_until')} hint={t('admin.enrol_until_hint')} />
        <div>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('admin.enrol_title')}
          </Button>
        </div>
      </SmartForm>
    </>
  );
}

function CohortForm({ cohorts }: Pick<Learning, 'cohorts'>) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('cohort');
  return (
    <>
      <h3 className="mt-8 text-xl">{t('admin.people_add_cohort')}</h3>
      <SmartForm intent="cohort" className={FORM}>
        <Select name="cohort" label={t('admin.overview_cohort')} options={cohorts} required />
        <div>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('admin.people_add_cohort')}
          </Button>
        </div>
      </SmartForm>
    </>
  );
}
