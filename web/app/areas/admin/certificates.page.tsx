import { Form, Link } from 'react-router';
import { type IssuedCertificate, listIssuedCertificates } from '@officium/contract/issued-certificates';
import { listReportPlaces } from '@officium/contract/roles';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import { UtcDay } from '../../ui/validity.tsx';
import type { Route } from './+types/certificates.page';
import { CERTIFICATE_STATES, certificateFilterOf, type CertificateFilter } from './certificates.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'read-reports');
  const filter = certificateFilterOf(url);
  const continuationToken = url.searchParams.get('after') ?? undefined;
  const [list, places] = await Promise.all([
    api(listIssuedCertificates, { query: { ...filter, continuationToken } }),
    api(listReportPlaces, { query: { locale } }),
  ]);
  const query = new URLSearchParams(filter).toString();
  const addressOf = (after?: string) =>
    `/admin/certificates?${new URLSearchParams({ ...filter, ...(after ? { after } : {}) }).toString()}`;
  return {
    ...list,
    filter,
    courses: places.courses.map(({ slug, title }) => ({ value: slug, label: title })),
    cohorts: places.cohorts.map(({ id, name }) => ({ value: id, label: name })),
    newest: continuationToken ? addressOf() : undefined,
    next: list.continuationToken ? addressOf(list.continuationToken) : undefined,
    csv: `/admin/certificates.csv?${query}`,
  };
}

export default function Certificates({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { certificates, counted, hasMore, filter, newest, next, csv } = loaderData;
  return (
    <Admin title={t('admin.certificates')} intro={t('admin.certificates_intro')}>
      <Filter {...loaderData} />
      {certificates.length > 0 ? (
        <>
          <p className="mt-6 mb-3 flex flex-wrap gap-x-6 text-muted">
            <span className="py-1.5">
              {t(hasMore ? 'admin.certificates_more' : 'admin.certificates_count', { count: counted })}
            </span>
            {newest ? (
              <Link to={newest} className="link inline-block py-1.5">
                {t('admin.audit_newest')}
              </Link>
            ) : null}
          </p>
          <Table certificates={certificates} />
          <p className="mt-4">
            <a href={csv} download className="link inline-block py-1.5">
              {t('admin.table_csv')}
            </a>
          </p>
          <Pagination next={next} />
        </>
      ) : (
        <p className="mt-6 text-muted">
          {t(Object.keys(filter).length > 0 ? 'admin.table_none_found' : 'admin.table_empty')}
        </p>
      )}
    </Admin>
  );
}

type FilterProps = { filter: CertificateFilter; courses: Choice[]; cohorts: Choice[] };
type Choice = { value: string; label: string };

/** The filters are kept in the address. */
function Filter({ filter, courses, cohorts }: FilterProps) {
  const { t } = useText();
  const any = { value: '', label: t('admin.people_any') };
  const states = Object.entries(CERTIFICATE_STATES).map(([value, key]) => ({ value, label: t(key) }));
  const choices = [
    { name: 'course', label: t('admin.content_kind_course'), options: courses },
    { name: 'cohort', label: t('admin.overview_cohort'), options: cohorts },
    { name: 'state', label: t('admin.people_state'), options: states },
  ] as const;
  return (
    // Remounted per address, so that Back restores the choices made there.
    <Form
      key={JSON.stringify(filter)}
      action="/admin/certificates"
      className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-3"
    >
      {choices.map(({ name, label, options }) => (
        <Select
          key={name}
          name={name}
          label={label}
          hideOptional
          defaultValue={filter[name] ?? ''}
          options={[any, ...options]}
        />
      ))}
      <Field
        name="organization"
        label={t('admin.report_organization')}
        hint={t('admin.report_organization_hint')}
        hideOptional
        maxLength={256}
        defaultValue={filter.organization ?? ''}
      />
      {(['from', 'to'] as const).map((name) => (
        <Field
          key={name}
          name={name}
          type="date"
          label={t(`admin.certificates_${name}`)}
          hideOptional
          defaultValue={filter[name] ?? ''}
        />
      ))}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button>{t('admin.overview_show')}</Button>
        {Object.keys(filter).length > 0 ? (
          <Link to="/admin/certificates" className="link inline-block py-1.5">
            {t('admin.audit_reset')}
          </Link>
        ) : null}
      </div>
    </Form>
  );
}

function Table({ certificates }: { certificates: IssuedCertificate[] }) {
  const { t } = useText();
  const columns: Column<IssuedCertificate>[] = [
    {
      name: 'name',
      label: t('learning.certificate_name_label'),
      isHeading: true,
      cell: ({ nameOnCertificate, personId, organization }) => (
        <>
          <Link to={`/people/${personId}`} className="link">
            <bdi>{nameOnCertificate}</bdi>
          </Link>
          {organization ? (
            <span className="block font-normal text-muted">
              <bdi>{organization}</bdi>
            </span>
          ) : null}
        </>
      ),
    },
    {
      name: 'course',
      label: t('admin.content_kind_course'),
      cell: ({ courseTitle, journeyTitle }) => (
        <>
          <bdi>{courseTitle}</bdi>
          {journeyTitle === courseTitle ? null : (
            <span className="block text-muted">
              <bdi>{journeyTitle}</bdi>
            </span>
          )}
        </>
      ),
    },
    {
      name: 'issued',
      label: t('learning.claim_issued'),
      cell: ({ issuedAt }) => <Time value={issuedAt} look="date" />,
    },
    {
      name: 'until',
      label: t('learning.claim_valid_until'),
      cell: ({ expiresAt }) => (expiresAt ? <UtcDay value={expiresAt} /> : '–'),
    },
    { name: 'state', label: t('admin.people_state'), cell: ({ state }) => t(CERTIFICATE_STATES[state]) },
    {
      name: 'number',
      label: t('learning.claim_number'),
      cell: ({ number }) => (
        <Link to={`/certificates/${number}`} className="link">
          <bdi className="font-mono text-sm break-all">{number}</bdi>
        </Link>
      ),
    },
  ];
  return (
    <DataTable caption={t('admin.certificates')} columns={columns} rows={certificates} keyOf={({ number }) => number} />
  );
}
