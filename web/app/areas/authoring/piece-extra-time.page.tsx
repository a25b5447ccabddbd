import { readPiece } from '@officium/contract/authoring';
import { listExtraTime, MAX_EXTRA_TIME, setExtraTime } from '@officium/contract/extra-time';
import { data } from 'react-router';
import { act, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { keepable } from '../../form/state.ts';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import type { Route } from './+types/piece-extra-time.page';
import { addressOf } from './kinds.ts';
import { PiecePage } from './piece-head.tsx';

type Person = Route.ComponentProps['loaderData']['people'][number];

function paramsOf({ kind, key }: { kind: string; key: string }) {
  if (kind !== 'course') throw data(null, { status: 404 });
  return { key };
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context, 'publish-content');
  const { key } = paramsOf(params);
  const [piece, { people }] = await Promise.all([
    api(readPiece, { params: { kind: 'course', key } }),
    api(listExtraTime, { params: { key } }),
  ]);
  return { piece, people };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const at = paramsOf(params);
  const body = { person: textOf(fields, 'person').trim(), percent: Number(textOf(fields, 'percent')) };
  const done = await attempt(setExtraTime, { params: at, body });
  if (done.ok) return redirectWith(addressOf('course', at.key, '/extra-time'), { key: 'common.saved' });
  if (done.failure.code !== 'request.not_found') return done.refusal;
  const message = 'No learner of this course has this address';
  return refuse({ message, issues: [{ path: 'person', message }], values: keepable(fields), status: 404 }, 404);
}

export default function ExtraTime({ loaderData: { piece, people } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <PiecePage piece={piece} name={t('admin.extra_time')}>
      <div className="grid gap-10">
        <p className="max-w-prose text-muted">{t('admin.extra_time_intro')}</p>
        <Give />
        {people.length === 0 ? <EmptyState title={t('admin.extra_time_none')} /> : <People people={people} />}
      </div>
    </PiecePage>
  );
}

function Give() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SmartForm intent="give" className="grid max-w-xl gap-5">
      <Field name="person" type="email" label={t('admin.extra_time_person')} autoComplete="off" required />
      <Field
        name="percent"
        label={t('admin.extra_time_percent')}
        hint={t('admin.extra_time_percent_hint', { max: MAX_EXTRA_TIME })}
        inputMode="numeric"
        autoComplete="off"
        className="w-56 max-w-full"
        required
      />
      <div>
        <Button isBusy={isSubmitting}>{t('admin.extra_time_give')}</Button>
      </div>
    </SmartForm>
  );
}

function People({ people }: { people: Person[] }) {
  const { t, number } = useText();
  const columns: Column<Person>[] = [
    {
      name: 'name',
      label: t('admin.extra_time_name'),
      isHeading: true,
      cell: ({ name }) => <bdi className="wrap-anywhere">{name}</bdi>,
    },
    {
      name: 'percent',
      label: t('admin.extra_time'),
      isNumber: true,
      cell: ({ percent }) => number(percent / 100, { style: 'percent' }),
    },
    {
      name: 'remove',
      label: t('admin.extra_time_remove'),
      cell: ({ id, name }) => (
        <SmartForm intent={`remove-${id}`}>
          <input type="hidden" name="person" value={id} />
          <input type="hidden" name="percent" value="0" />
          <Button look="quiet" aria-label={t('admin.extra_time_remove_of', { name })}>
            {t('admin.extra_time_remove')}
          </Button>
        </SmartForm>
      ),
    },
  ];
  return <DataTable caption={t('admin.extra_time')} columns={columns} rows={people} keyOf={({ id }) => id} />;
}
