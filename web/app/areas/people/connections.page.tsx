import { Search } from 'lucide-react';
import { useRef } from 'react';
import { Form } from 'react-router';
import { listConnections } from '@officium/contract/account';
import type { ReplyOf } from '@officium/contract/endpoint';
import { pageNumberOf } from '../../form/page-number.ts';
import { loadSignedIn } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Byline } from '../../ui/person.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/connections.page';
import { ConnectionMoves, useFocusKept } from './connect.tsx';

const PAGE_SIZE = 25;
const MAX_NAME = 100;

const TABS = {
  requests: { status: 'pending', direction: 'incoming' },
  sent: { status: 'pending', direction: 'outgoing' },
  accepted: { status: 'accepted' },
} as const;
type TabName = keyof typeof TABS;
const TAB_NAMES = ['requests', 'sent', 'accepted'] as const satisfies readonly TabName[];

type Shown = { tab: TabName; name: string; page: number };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadSignedIn(request, context);
  const tab = TAB_NAMES.find((name) => name === url.searchParams.get('tab')) ?? 'requests';
  const name = [...(url.searchParams.get('q') ?? '').trim()].slice(0, MAX_NAME).join('');
  const page = pageNumberOf(url);
  const list = (of: TabName, query: { name?: string; limit: number; offset?: number }) => {
    const { limit, offset = 0, ...rest } = query;
    return api(listConnections, {
      params: { id: 'me' },
      query: { ...TABS[of], ...rest, limit: String(limit), offset: String(offset) },
    });
  };
  const [shown, ...counted] = await Promise.all([
    list(tab, { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, ...(name && { name }) }),
    ...TAB_NAMES.map((one) => list(one, { limit: 1 })),
  ]);
  const { connections, total } = shown;
  // The last item of this page was answered: show the page before.
  if (connections.length === 0 && page > 1)
    return redirect(addressOf({ tab, name, page: Math.max(Math.ceil(total / PAGE_SIZE), 1) }));
  const counts = counted.map((one) => one.total);
  return { tab, name, page, connections, total, counts, hasNext: page * PAGE_SIZE < total };
}

function addressOf({ tab, name, page }: Shown): string {
  const query = new URLSearchParams({
    ...(tab !== 'requests' && { tab }),
    ...(name && { q: name }),
    ...(page > 1 && { page: String(page) }),
  });
  return `/me/connections${query.size ? `?${query}` : ''}`;
}

export default function Connections({ loaderData }: Route.ComponentProps) {
  const { tab, name, page, connections, total, counts, hasNext } = loaderData;
  const { t, number } = useText();
  const list = useRef<HTMLDivElement>(null);
  useFocusKept(list, connections.map(({ id }) => id).join());
  const isEmpty = counts[TAB_NAMES.indexOf(tab)] === 0;
  return (
    <div className="page py-10 md:py-14">
      <Head title={t('people.connections')} isPrivate />
      <div className="mx-auto max-w-[46rem]">
        <h1 className="text-4xl">{t('people.connections')}</h1>
        <div className="mt-6">
          <Tabs
            label={t('people.connections')}
            tabs={TAB_NAMES.map((one, index) => ({
              to: addressOf({ tab: one, name: '', page: 1 }),
              label: t(`people.tab_${one}`),
              isCurrent: one === tab,
              count: number(counts[index] ?? 0),
            }))}
          />
        </div>
        <div ref={list} tabIndex={-1} className="outline-none">
          {isEmpty ? <Empty tab={tab} /> : <SearchForm key={tab + name} tab={tab} name={name} />}
          {!isEmpty && connections.length === 0 ? (
            <div className="mt-6">
              <EmptyState
                title={<bdi>{t('people.nobody_called', { name })}</bdi>}
                action={
                  <LinkButton to={addressOf({ tab, name: '', page: 1 })} look="secondary">
                    {t('people.show_all')}
                  </LinkButton>
                }
              />
            </div>
          ) : null}
          {connections.length > 0 ? (
            <>
              <p className="mt-5 text-sm text-muted" role="status">
                {t('people.people_count', { count: total })}
              </p>
              <ul className="mt-2 divide-y divide-line border-y border-line">
                {connections.map((connection) => (
                  <Line key={connection.id} connection={connection} />
                ))}
              </ul>
            </>
          ) : null}
        </div>
        <Pagination
          page={page}
          previous={page > 1 ? addressOf({ tab, name, page: page - 1 }) : undefined}
          next={hasNext ? addressOf({ tab, name, page: page + 1 }) : undefined}
        />
      </div>
    </div>
  );
}

function SearchForm({ tab, name }: Pick<Shown, 'tab' | 'name'>) {
  const { t } = useText();
  return (
    <Form role="search" aria-label={t('people.find_connection')} className="mt-6 flex max-w-lg gap-2">
      {tab === 'requests' ? null : <input type="hidden" name="tab" value={tab} />}
      <label className="sr-only" htmlFor="find">
        {t('people.find_connection')}
      </label>
      <input
        id="find"
        type="search"
        name="q"
        defaultValue={name}
        maxLength={MAX_NAME}
        dir="auto"
        placeholder={t('people.find_connection')}
        className="input"
      />
      <Button look="secondary">
        <Icon as={Search} size={18} />
        <span className="sr-only">{t('people.find_connection')}</span>
      </Button>
    </Form>
  );
}

function Line({ connection }: { connection: ReplyOf<typeof listConnections>['connections'][number] }) {
  const { rich } = useText();
  const { peer, status, updatedAt } = connection;
  const when = <Time value={updatedAt} />;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-56">
        <Byline person={peer}>
          <span>{rich(status === 'accepted' ? 'people.connected_when' : 'people.asked_when', { when })}</span>
        </Byline>
      </div>
      <ConnectionMoves peer={peer} connection={connection} small />
    </li>
  );
}

function Empty({ tab }: { tab: TabName }) {
  const { t } = useText();
  return (
    <div className="mt-6">
      <EmptyState
        title={t(`people.${tab}_none_title`)}
        action={
          <LinkButton to="/communities" look="secondary">
            {t('common.communities')}
          </LinkButton>
        }
      >
        {t(`people.${tab}_none_text`)}
      </EmptyState>
    </div>
  );
}
