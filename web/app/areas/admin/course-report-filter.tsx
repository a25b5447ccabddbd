import { Form } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import type { ReportFilter } from './course-report.ts';

type Choices = { value: string; label: string }[];
type Props = { path: string; filter: ReportFilter; cohorts: Choices; countries: Choices };

/** The filters are kept in the address. */
export function ReportFilterForm({ path, filter, cohorts, countries }: Props) {
  const { t } = useText();
  return (
    // Remounted per address, so that Back restores the choices made there.
    <Form key={JSON.stringify(filter)} action={path} className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <Select
        name="cohort"
        label={t('admin.overview_cohort')}
        hideOptional
        defaultValue={filter.cohort ?? ''}
        options={[{ value: '', label: t('admin.overview_everyone') }, ...cohorts]}
      />
      <Select
        name="country"
        label={t('admin.report_country')}
        hideOptional
        defaultValue={filter.country ?? ''}
        options={[{ value: '', label: t('admin.report_any_country') }, ...countries]}
      />
      <Field
        name="organization"
        label={t('admin.report_organization')}
        hint={t('admin.report_organization_hint')}
        hideOptional
        maxLength={256}
        defaultValue={filter.organization ?? ''}
      />
      <Field name="from" type="date" label={t('admin.report_from')} hideOptional defaultValue={filter.from ?? ''} />
      <Field name="to" type="date" label={t('admin.report_to')} hideOptional defaultValue={filter.to ?? ''} />
      <div>
        <Button>{t('admin.overview_show')}</Button>
      </div>
    </Form>
  );
}
