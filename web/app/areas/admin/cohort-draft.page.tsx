import { listCohortProducts, readCohort } from '@officium/contract/admin';
import { chooseDraftColumn, confirmDraft, readUploadDraft } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Field, Select } from '../../ui/field.tsx';
import type { Route } from './+types/cohort-draft.page';
import { CohortFrame } from './cohort-frame.tsx';
import { Figures } from '../../admin/figures.tsx';
import { labelOf } from './label.ts';
import { NothingAttached } from './nothing-attached.tsx';
import { loadAdmin } from '../../admin/load.ts';

type Draft = ReplyOf<typeof readUploadDraft>;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context, 'manage-cohort');
  const [cohort, draft, { total: products }] = await Promise.all([
    api(readCohort, { params }),
    api(readUploadDraft, { params: { id: params.id, draftId: params.draft } }),
    api(listCohortProducts, { params }),
  ]);
  if (draft.uploadId) throw redirect(`/admin/cohorts/${params.id}/uploads/${draft.uploadId}`);
  return { cohort, draft, products };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const key = { id: params.id, draftId: params.draft };
  const here = `/admin/cohorts/${params.id}/uploads`;
  if (fields.has('column')) {
    const read = await attempt(chooseDraftColumn, { params: key, body: { column: Number(textOf(fields, 'column')) } });
    return read.ok ? redirect(`${here}/check/${params.draft}`) : read.refusal;
  }
  const begun = await attempt(confirmDraft, { params: key, body: { slug: labelOf(textOf(fields, 'label')) } });
  return begun.ok ? redirectWith(`${here}/${begun.body.uploadId}`, { key: 'admin.cohorts_begun' }) : begun.refusal;
}

export default function CohortDraft({ loaderData }: Route.ComponentProps) {
  const { cohort, draft, products } = loaderData;
  const { t } = useText();
  const figures = [
    { label: t('admin.cohorts_draft_added'), value: draft.added },
    { label: t('admin.cohorts_draft_invited'), value: draft.invited },
    { label: t('admin.cohorts_already'), value: draft.already },
    { label: t('admin.cohorts_wrong'), value: draft.wrong },
    ...(draft.inactive ? [{ label: t('admin.cohorts_invalid'), value: draft.inactive }] : []),
    ...(draft.repeated ? [{ label: t('admin.cohorts_repeated'), value: draft.repeated }] : []),
  ];
  return (
    <CohortFrame cohort={cohort} tab="/uploads">
      <h2 className="text-2xl">{t('admin.cohorts_draft')}</h2>
      <p className="mt-1 mb-5 max-w-prose text-muted">
        {t('admin.cohorts_draft_text', { rows: draft.rows })} {draft.name ? <bdi>({draft.name})</bdi> : null}
      </p>
      {products === 0 ? (
        <div className="mb-5 max-w-prose">
          <NothingAttached cohortId={cohort.id} />
        </div>
      ) : null}
      <Figures figures={figures} />
      {draft.invited > 0 ? (
        <p className="mt-4 max-w-prose">
          {t('admin.cohorts_draft_mails', { count: draft.invited, minutes: Math.ceil(draft.mailsAfterSeconds / 60) })}
        </p>
      ) : null}
      {draft.columns.length > 1 ? <ChooseColumn draft={draft} /> : null}
      <Confirm draft={draft} cohortId={cohort.id} />
      <WrongRows draft={draft} />
    </CohortFrame>
  );
}

function ChooseColumn({ draft }: { draft: Draft }) {
  const { t } = useText();
  const options = draft.columns.map(({ label, addresses }, at) => ({
    value: String(at),
    label: t('admin.cohorts_column_of', { name: label || String(at + 1), count: addresses }),
  }));
  return (
    <SmartForm intent="column" className="mt-6 flex flex-wrap items-end gap-3">
      <Select
        name="column"
        label={t('admin.cohorts_column')}
        options={options}
        defaultValue={String(draft.column)}
        required
        className="min-w-0 grow basis-64 sm:max-w-md"
      />
      <Button look="secondary">{t('admin.cohorts_column_take')}</Button>
    </SmartForm>
  );
}

function Confirm({ draft, cohortId }: { draft: Draft; cohortId: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('confirm');
  return (
    <SmartForm intent="confirm" className="mt-8 grid max-w-xl gap-5">
      <Field
        name="label"
        label={t('admin.cohorts_label')}
        hint={t('admin.cohorts_label_hint')}
        defaultValue={labelOf(draft.name.replace(/\.\w+$/, '') || draft.createdAt.slice(0, 10))}
        maxLength={100}
        required
      />
      {draft.wrong ? <p className="max-w-prose">{t('admin.cohorts_wrong_left', { count: draft.wrong })}</p> : null}
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isSubmitting}>{t('admin.cohorts_confirm', { count: draft.addresses })}</Button>
        <LinkButton to={`/admin/cohorts/${cohortId}/uploads`} look="quiet">
          {t('common.cancel')}
        </LinkButton>
      </div>
    </SmartForm>
  );
}

function WrongRows({ draft: { wrong, wrongRows } }: { draft: Draft }) {
  const { t, number } = useText();
  if (wrongRows.length === 0) return null;
  return (
    <section aria-labelledby="wrong" className="mt-10">
      <h2 id="wrong" className="text-2xl">
        {t('admin.cohorts_wrong_title')}
      </h2>
      {wrong > wrongRows.length ? (
        <p className="mt-1 text-sm text-muted">{t('admin.cohorts_wrong_first', { count: wrongRows.length })}</p>
      ) : null}
      <div className="mt-3 max-w-3xl">
        <DataTable
          caption={t('admin.cohorts_wrong_title')}
          columns={[
            { name: 'row', label: t('admin.cohorts_row'), isHeading: true, cell: ({ row }) => number(row) },
            {
              name: 'value',
              label: t('admin.cohorts_value'),
              cell: ({ value }) => (value ? <bdi>{value}</bdi> : null),
            },
            {
              name: 'reason',
              label: t('admin.cohorts_reason'),
              cell: ({ reason }) => t(`admin.cohorts_reason_${reason}`),
            },
          ]}
          rows={wrongRows}
          keyOf={({ row, value }) => `${row} ${value}`}
        />
      </div>
    </section>
  );
}
