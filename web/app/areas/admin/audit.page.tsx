import type { ReactNode } from 'react';
import { Link, useRouteLoaderData } from 'react-router';
import type { z } from 'zod';
import { listAuditLog, type AuditEntry } from '@officium/contract/audit';
import type { RootData } from '../../root-data.ts';
import { useText, type Text } from '../../text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/audit.page';
import { Admin } from '../../admin/admin.tsx';
import { AuditFilter } from './audit-filter.tsx';
import { paramsOf, soughtIn } from './audit-person.ts';
import { auditQueryOf, placeOfActor, placeOfObject } from './audit-query.ts';
import { detailOf, sentenceOf, wordOfObject } from './audit-words.ts';
import { loadAdmin } from '../../admin/load.ts';

type Entry = z.output<typeof AuditEntry>;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url, viewer } = await loadAdmin(request, context, 'read-audit');
  const continuationToken = url.searchParams.get('after') ?? undefined;
  const [actor, object] = await Promise.all([
    soughtIn(api, url, 'actor', viewer),
    soughtIn(api, url, 'object', viewer),
  ]);
  const { action, from, to } = auditQueryOf(url);
  // Entries of an ambiguous name are listed once one of the people is chosen.
  const isOpen = actor.candidates.length === 0 && object.candidates.length === 0;
  const query = { actor: actor.id, object: object.id, action, from, to, locale, continuationToken };
  const { entries, continuationToken: next } = isOpen ? await api(listAuditLog, { query }) : { entries: [] };
  const found = entries.find((entry) => entry.actor === actor.id)?.actorName;
  const named = found && actor.text === actor.id ? { ...actor, text: found } : actor;
  const plain = Object.fromEntries(PLAIN.map((name) => [name, url.searchParams.get(name) ?? '']));
  const filters = new URLSearchParams([
    ...paramsOf('actor', named),
    ...paramsOf('object', object),
    ...Object.entries(plain).filter(([, value]) => value !== ''),
  ]);
  const addressOf = (after?: string) => {
    const query = new URLSearchParams(filters);
    if (after) query.set('after', after);
    return `/admin/audit${query.size > 0 ? `?${query.toString()}` : ''}`;
  };
  return {
    entries,
    chosen: { actor: named, object, action: plain['action'] ?? '', from: plain['from'] ?? '', to: plain['to'] ?? '' },
    isOpen,
    isFiltered: filters.size > 0 || !isOpen,
    newest: continuationToken ? addressOf() : undefined,
    next: next ? addressOf(next) : undefined,
    csv: `/admin/audit.csv?${filters.toString()}`,
  };
}

const PLAIN = ['action', 'from', 'to'] as const;

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { entries, chosen, isOpen, isFiltered, newest, next, csv } = loaderData;
  return (
    <Admin title={t('admin.audit')} intro={t('admin.audit_intro')}>
      <AuditFilter key={JSON.stringify(chosen)} chosen={chosen} isFiltered={isFiltered} />
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
      ) : isOpen ? (
        <p className="mt-6 text-muted">{t(isFiltered ? 'admin.table_none_found' : 'admin.table_empty')}</p>
      ) : null}
    </Admin>
  );
}

function Entries({ entries }: { entries: Entry[] }) {
  const text = useText();
  const { t } = text;
  const isOffice = useRouteLoaderData<RootData>('root')?.viewer?.role === 'administrator';
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
            <Named
              to={placeOfActor(entry.actor)}
              filter={Object.fromEntries(paramsOf('actor', { id: entry.actor, text: nameOf(text, entry) }))}
            >
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
          cell: (entry) => (
            <Named to={placeOfObject(entry, isOffice)} filter={{ object: entry.object }}>
              {entry.objectName ?? wordOfObject(text, entry.object) ?? <code>{entry.object}</code>}
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

/** Links to the page of the object, or else to its other audit entries. */
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

/** An id or a key, which is the same in every language. */
function Code({ children }: { children: string }) {
  return (
    <code lang="en" dir="ltr">
      {children}
    </code>
  );
}
