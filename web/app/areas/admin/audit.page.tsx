import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import type { z } from 'zod';
import { listAuditLog, type AuditEntry } from '@officium/contract/audit';
import { useText, type Text } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Field } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/audit.page';
import { Admin } from '../../admin/admin.tsx';
import { auditQueryOf, placeOfActor, placeOfObject } from './audit-query.ts';
import { detailOf, sentenceOf, wordOfObject } from './audit-words.ts';
import { loadAdmin } from '../../admin/load.ts';

type Entry = z.output<typeof AuditEntry>;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const continuationToken = url.searchParams.get('after') ?? undefined;
  const { entries, continuationToken: next } = await api(listAuditLog, {
    query: { ...auditQueryOf(url), continuationToken },
  });
  const chosen = Object.fromEntries(FIELDS.map((name) => [name, url.searchParams.get(name) ?? '']));
  const filters = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== ''));
  const addressOf = (after?: string) => {
    const query = new URLSearchParams(filters);
    if (after) query.set('after', after);
    return `/admin/audit${query.size > 0 ? `?${query.toString()}` : ''}`;
  };
  return {
    entries,
    chosen,
    isFiltered: filters.size > 0,
    newest: continuationToken ? addressOf() : undefined,
    next: next ? addressOf(next) : undefined,
    csv: `/admin/audit.csv?${filters.toString()}`,
  };
}

const FIELDS = ['actor', 'action', 'object', 'from', 'to'] as const;

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { entries, chosen, isFiltered, newest, next, csv } = loaderData;
  return (
    <Admin title={t('admin.audit')} intro={t('admin.audit_intro')}>
      <Filter key={JSON.stringify(chosen)} chosen={chosen} isFiltered={isFiltered} />
      {newest ? (
        <p className="mt-6">
          <Link to={newest} className="link inline-block py-1.5">
            {t('admin.audit_newest')}
          </Link>
        </p>
      ) : null}
      {entries.length > 0 ? (
        <>
          <div className="mt-6">
            <Entries entries={entries} />
          </div>
          <p className="mt-4">
            <a href={csv} className="link inline-block py-1.5">
              {t('admin.table_csv')}
            </a>
          </p>
          <Pagination next={next} />
        </>
      ) : (
        <p className="mt-6 text-muted">{t(isFiltered ? 'admin.table_none_found' : 'admin.table_empty')}</p>
      )}
    </Admin>
  );
}

type FilterProps = { chosen: Record<string, string>; isFiltered: boolean };

function Filter({ chosen, isFiltered }: FilterProps) {
  const { t } = useText();
  return (
    <Form action="/admin/audit" className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {(['actor', 'action', 'object'] as const).map((name) => (
        <Field
          key={name}
          name={name}
          label={t(name === 'actor' ? 'admin.audit_who' : `admin.audit_${name}`)}
          hint={t(name === 'actor' ? 'admin.audit_who_hint' : `admin.audit_${name}_hint`)}
          hideOptional
          autoComplete="off"
          spellCheck={false}
          defaultValue={chosen[name]}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <Field
          key={name}
          name={name}
          type="date"
          label={t(`admin.audit_${name}`)}
          hideOptional
          defaultValue={chosen[name]}
        />
      ))}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button>{t('admin.overview_show')}</Button>
        {isFiltered ? (
          <Link to="/admin/audit" className="link inline-block py-1.5">
            {t('admin.audit_reset')}
          </Link>
        ) : null}
      </div>
    </Form>
  );
}

function Entries({ entries }: { entries: Entry[] }) {
  const text = useText();
  const { t } = text;
  return (
    <DataTable
      caption={t('admin.audit')}
      columns={[
        {
          name: 'time',
          label: t('admin.audit_time'),
          cell: ({ createdAt }) => <Time value={createdAt} look="exact" />,
        },
        {
          name: 'who',
          label: t('admin.audit_who'),
          cell: (entry) => (
            <Named to={placeOfActor(entry.actor)} filter={{ actor: entry.actor }}>
              {nameOf(text, entry)}
            </Named>
          ),
        },
        {
          name: 'action',
          label: t('admin.audit_action'),
          isHeading: true,
          cell: ({ action }) => <Named filter={{ action }}>{sentenceOf(text, action) ?? <code>{action}</code>}</Named>,
        },
        {
          name: 'object',
          label: t('admin.audit_object'),
          cell: ({ action, object }) => (
            <Named to={placeOfObject(action, object)} filter={{ object }}>
              {wordOfObject(text, object) ?? <code>{object}</code>}
            </Named>
          ),
        },
        { name: 'detail', label: t('admin.audit_detail'), cell: (entry) => <Detail entry={entry} /> },
      ]}
      rows={entries}
      keyOf={({ id }) => id}
    />
  );
}

function nameOf({ t }: Text, { actor, actorName }: Entry): string {
  if (actor === 'system') return t('admin.audit_system');
  const [, service] = /^service:(.*)$/.exec(actor) ?? [];
  return service ? t('admin.audit_service', { name: service }) : (actorName ?? actor);
}

type NamedProps = { to?: string; filter: Record<string, string>; children: ReactNode };

/** Leads to the thing where it has a page, and else to what else is noted of it. */
function Named({ to, filter, children }: NamedProps) {
  return (
    <Link to={to ?? `/admin/audit?${new URLSearchParams(filter).toString()}`} className="link block w-fit py-1">
      <bdi>{children}</bdi>
    </Link>
  );
}

function Detail({ entry }: { entry: Entry }) {
  const text = useText();
  const { requestId } = entry;
  return (
    <>
      {detailOf(text, entry).map(({ name, value, isNameCode, isValueCode }) => (
        <span key={name} className="block">
          <span className="text-muted">{isNameCode ? <Code>{name}</Code> : name}:</span>{' '}
          {isValueCode ? <Code>{value}</Code> : <bdi>{value}</bdi>}
        </span>
      ))}
      {requestId ? (
        <span className="block text-xs text-muted">
          {text.rich('admin.audit_request', { id: <bdi dir="ltr">{requestId}</bdi> })}
        </span>
      ) : null}
    </>
  );
}

/** An id or a key, which reads the same in every language. */
function Code({ children }: { children: string }) {
  return (
    <code lang="en" dir="ltr">
      {children}
    </code>
  );
}
