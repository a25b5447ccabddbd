import { beginContentImport, readContentImport, type ContentImport } from '@officium/contract/content-folder';
import { Link } from 'react-router';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Time } from '../../ui/time.tsx';
import { Admin } from '../../admin/admin.tsx';
import { Figures } from '../../admin/figures.tsx';
import { AutoRefresh } from '../../ui/auto-refresh.tsx';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/folder-import.page';
import { FindingText } from './finding-text.tsx';
import { ImportState, isUnderWay } from './folder-state.tsx';
import { addressOf } from './kinds.ts';
import { ContentCrumb } from './piece-head.tsx';
import { titleOf } from './title.ts';

type Finding = ContentImport['faults'][number];
type Item = ContentImport['items'][number];

const FOLDER = '/admin/content/folder';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return { sent: await api(readContentImport, { params: { importId: params.import } }) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt } = await act(request, context);
  const begun = await attempt(beginContentImport, { params: { importId: params.import } });
  if (!begun.ok) return begun.refusal;
  return redirectWith(`${FOLDER}/${params.import}`, { key: 'admin.folder_begun', tone: 'info' });
}

export default function FolderImport({ loaderData: { sent } }: Route.ComponentProps) {
  const { t } = useText();
  const { state, summary, items } = sent;
  return (
    <Admin
      title={sent.name}
      crumb={<ContentCrumb also={{ to: FOLDER, label: t('admin.folder') }} />}
      intro={
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2" role="status">
          <ImportState state={state} />
          <span className="text-sm">
            {sent.by === null ? null : (
              <>
                <bdi>{sent.by}</bdi> ·{' '}
              </>
            )}
            <Time value={sent.finishedAt ?? sent.createdAt} />
          </span>
        </p>
      }
    >
      <div className="grid gap-10">
        {isUnderWay(state) ? <UnderWay sent={sent} /> : null}
        {summary ? (
          <Figures
            figures={(['added', 'changed', 'unchanged', 'withdrawn'] as const).map((name) => ({
              label: t(`admin.folder_${name}`),
              value: summary[name],
            }))}
          />
        ) : null}
        <NextStep state={state} />
        <Findings name="faults" findings={sent.faults} count={sent.faultCount} />
        {items.length > 0 ? <Items sent={sent} /> : null}
        <Findings name="warnings" findings={sent.warnings} count={sent.warningCount} />
      </div>
    </Admin>
  );
}

/** Progress of an import, polled while it runs. */
function UnderWay({ sent: { progress } }: { sent: ContentImport }) {
  const { t, number } = useText();
  const { step, done, total } = progress;
  const label = t(`admin.folder_step_${step}`);
  return (
    <div className="max-w-xl">
      <p className="mb-2 font-semibold">{label}</p>
      <Progress
        label={label}
        value={done}
        max={total}
        {...(total > 0 ? { caption: `${number(done)} / ${number(total)}` } : {})}
      />
      <AutoRefresh />
    </div>
  );
}

/** The possible next step, or the outcome. */
function NextStep({ state }: { state: ContentImport['state'] }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const again = (
    <p className="mt-4">
      <LinkButton to={FOLDER} look="secondary">
        {t('admin.folder_again')}
      </LinkButton>
    </p>
  );
  if (state === 'checked')
    return (
      <SmartForm>
        <p className="max-w-prose">{t('admin.folder_confirm_text')}</p>
        <div className="mt-4 flex flex-wrap gap-3">
          <Button isBusy={isSubmitting}>{t('admin.folder_confirm')}</Button>
          <LinkButton to={FOLDER} look="quiet">
            {t('common.cancel')}
          </LinkButton>
        </div>
      </SmartForm>
    );
  if (state === 'refused' || state === 'failed' || state === 'expired')
    return (
      <div>
        <Notice tone={state === 'expired' ? 'info' : 'danger'}>{t(`admin.folder_${state}_text`)}</Notice>
        {again}
      </div>
    );
  return null;
}

function Items({ sent: { items, state, summary } }: { sent: ContentImport }) {
  const { t, locale } = useText();
  const isDone = state === 'done';
  const title = t(isDone ? 'admin.folder_items_done' : 'admin.content_changes');
  const total = summary ? summary.added + summary.changed + summary.withdrawn : 0;
  const columns: Column<Item>[] = [
    {
      name: 'title',
      label: t('admin.content_field_title'),
      isHeading: true,
      cell: (item) => {
        const { text, lang } = titleOf(item.title, locale);
        // Entries still to be added have no page yet.
        const isThere = isDone || item.outcome !== 'added';
        return isThere ? (
          <Link to={addressOf(item.kind, item.key)} className="link -my-1 inline-block py-1" lang={lang} dir="auto">
            {text || item.key}
          </Link>
        ) : (
          <span lang={lang} dir="auto">
            {text || item.key}
          </span>
        );
      },
    },
    { name: 'kind', label: t('admin.content_kind'), cell: ({ kind }) => t(`admin.content_kind_${kind}`) },
    { name: 'outcome', label: t('admin.content_state'), cell: ({ outcome }) => t(`admin.folder_${outcome}`) },
  ];
  return (
    <section aria-labelledby="items">
      <h2 id="items" className="mb-3 text-2xl">
        {title}
      </h2>
      <First shown={items.length} total={total} />
      <DataTable caption={title} columns={columns} rows={items} keyOf={({ kind, key }) => `${kind} ${key}`} />
    </section>
  );
}

function Findings({ name, findings, count }: { name: 'faults' | 'warnings'; findings: Finding[]; count: number }) {
  const { t, number } = useText();
  if (count === 0) return null;
  const title = t(`admin.folder_${name}`);
  const columns: Column<Finding & { nth: number }>[] = [
    {
      name: 'file',
      label: t('admin.folder_file_in'),
      isHeading: true,
      cell: ({ file }) => <bdi>{file}</bdi>,
    },
    { name: 'line', label: t('admin.folder_line'), isNumber: true, cell: ({ line }) => number(line) },
    {
      name: 'message',
      label: t('admin.folder_problem'),
      cell: ({ message, field }) => <FindingText message={message} field={field} />,
    },
    {
      name: 'field',
      label: t('admin.folder_field'),
      cell: ({ field }) => (field ? <bdi>{field}</bdi> : null),
    },
  ];
  return (
    <section aria-labelledby={name}>
      <h2 id={name} className="mb-3 text-2xl">
        {title}
      </h2>
      <First shown={findings.length} total={count} />
      <DataTable
        caption={title}
        columns={columns}
        rows={findings.map((finding, nth) => ({ ...finding, nth }))}
        keyOf={({ nth }) => String(nth)}
      />
    </section>
  );
}

function First({ shown, total }: { shown: number; total: number }) {
  const { t } = useText();
  if (total <= shown) return null;
  return <p className="mb-2 text-sm text-muted">{t('admin.folder_first', { count: shown, total })}</p>;
}
