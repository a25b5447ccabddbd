import { Form, Link } from 'react-router';
import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { STATES } from './kinds.ts';
import type { PiecesQuery } from './pieces-query.ts';
import type { PieceRow } from './pieces-tree.ts';

type Props = { query: PiecesQuery; kinds: readonly PieceRow['kind'][]; isList: boolean };

export function PiecesFilters({ query, kinds, isList }: Props) {
  const { t } = useText();
  const all = { value: '', label: t('admin.content_all') };
  const languages = [all, ...LOCALES.map((value) => ({ value, label: endonymOf(value) }))];
  return (
    <Form
      method="get"
      role="search"
      className="grid items-end gap-4 border-y border-line py-5 sm:grid-cols-2 xl:grid-cols-3"
    >
      <Field name="q" type="search" label={t('admin.content_search')} defaultValue={query.q} hideOptional />
      <Select
        name="kind"
        label={t('admin.content_kind')}
        options={[all, ...kinds.map((kind) => ({ value: kind, label: t(`admin.content_kind_${kind}`) }))]}
        defaultValue={query.kind ?? ''}
        hideOptional
      />
      <Select
        name="state"
        label={t('admin.content_state')}
        options={[all, ...STATES.map((state) => ({ value: state, label: t(`admin.content_state_${state}`) }))]}
        defaultValue={query.state ?? ''}
        hideOptional
      />
      {(['language', 'missing'] as const).map((name) => (
        <Select
          key={name}
          name={name}
          label={t(`admin.content_${name}`)}
          options={languages}
          defaultValue={query[name] ?? ''}
          hideOptional
        />
      ))}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button look="secondary">{t('admin.content_show')}</Button>
        {isList ? (
          <Link to="/admin/content" className="link inline-block py-1.5">
            {t('admin.audit_reset')}
          </Link>
        ) : null}
      </div>
    </Form>
  );
}
