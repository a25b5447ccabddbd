import { Search } from 'lucide-react';
import { data, Form, Link } from 'react-router';
import { listMembers, readCommunity, removeMember, updateMember } from '@officium/contract/community';
import { pageNumberOf } from '../../form/page-number.ts';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Byline } from '../../ui/person.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { textOf } from '../../form/fields.ts';
import type { Route } from './+types/members.page';
import { CommunityCrumb } from './community-head.tsx';
import { Join } from './join.tsx';
import { MemberControls } from './member-controls.tsx';
import type { Member } from './model.ts';

const PAGE_SIZE = 50;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, viewer, locale, url } = await loadSignedIn(request, context);
  const name = url.searchParams.get('q')?.trim().slice(0, 256) ?? '';
  const page = pageNumberOf(url);
  const offset = (page - 1) * PAGE_SIZE;
  const query = { count: String(PAGE_SIZE), offset: String(offset), ...(name && { 'user.name': name }) };
  const [community, members] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    attempt(listMembers, { params, query }),
  ]);
  if (!members.ok && members.failure.status !== 403) throw data(members.failure, { status: members.failure.status });
  const { canManage } = community.permissions;
  const waiting =
    canManage && page === 1 && !name ? await api(listMembers, { params, query: { status: 'pending' } }) : null;
  return {
    community,
    list: members.ok ? members.body : null,
    waiting,
    name,
    page,
    hasNext: members.ok && offset + PAGE_SIZE < members.body.total,
    viewerId: viewer.id,
    canAppoint: canManage && (viewer.role === 'administrator' || community.membership?.role === 'owner'),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const at = { slug: params.slug, userId: textOf(fields, 'user') };
  // Keeps the search and the page number.
  const back = `/communities/${params.slug}/members${url.search}`;
  const intent = textOf(fields, 'intent');
  const [done, key] = await carryOut();
  if (done.ok) return redirectWith(back, { key, values: { name: textOf(fields, 'name') } });
  const isLastOwner = done.failure.code === 'community.last_owner';
  return redirectWith(back, {
    key: isLastOwner ? 'errors.community.last_owner' : 'community.not_done',
    tone: 'danger',
  });

  async function carryOut() {
    switch (intent) {
      case 'approve':
        return [
          await attempt(updateMember, { params: at, body: { status: 'active' } }),
          say('community.let_in'),
        ] as const;
      case 'appoint':
        return [
          await attempt(updateMember, { params: at, body: { level: 'full-control' } }),
          say('community.appointed'),
        ] as const;
      case 'dismiss':
        return [
          await attempt(updateMember, { params: at, body: { level: null } }),
          say('community.dismissed'),
        ] as const;
      case 'make-owner':
        return [
          await attempt(updateMember, { params: at, body: { role: 'owner' } }),
          say('thread.made_owner'),
        ] as const;
      case 'unmake-owner':
        return [
          await attempt(updateMember, { params: at, body: { role: 'member' } }),
          say('community.dismissed'),
        ] as const;
      case 'decline':
        return [await attempt(removeMember, { params: at }), say('community.declined')] as const;
      default:
        return [await attempt(removeMember, { params: at }), say('community.removed')] as const;
    }
  }
}

const say = (key: MessageKey) => key;

export default function Members({ loaderData }: Route.ComponentProps) {
  const { community, list, waiting, name } = loaderData;
  const { t } = useText();
  const { slug, title } = community;
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('community.members_title', { title })} isPrivate />
      <div className="mx-auto max-w-[46rem]">
        <CommunityCrumb slug={slug} title={title} />
        <div className="mt-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <h1 className="text-4xl">{t('community.members')}</h1>
          {community.permissions.canModerate ? (
            <Link to={`/communities/${slug}/reports`} className="link py-1.5">
              {t('thread.reports')}
            </Link>
          ) : null}
        </div>
        {list ? (
          <>
            {waiting?.members.length ? <Waiting {...waiting} /> : null}
            <SearchForm name={name} />
            <List {...loaderData} list={list} />
          </>
        ) : (
          <div className="mt-6">
            <EmptyState
              title={t('community.members_closed')}
              action={<Join community={{ ...community, canJoin: community.permissions.canJoin }} isSignedIn />}
            >
              {t('community.members_closed_text')}
            </EmptyState>
          </div>
        )}
      </div>
    </div>
  );
}

function SearchForm({ name }: { name: string }) {
  const { t } = useText();
  return (
    <Form role="search" aria-label={t('community.members_find')} className="mt-6 flex max-w-lg gap-2">
      <label className="sr-only" htmlFor="q">
        {t('community.members_find')}
      </label>
      <input
        id="q"
        type="search"
        name="q"
        defaultValue={name}
        maxLength={256}
        dir="auto"
        placeholder={t('community.members_find')}
        className="input"
      />
      <Button look="secondary">
        <Icon as={Search} size={18} />
        <span className="sr-only">{t('community.members_find')}</span>
      </Button>
    </Form>
  );
}

function Waiting({ members, total }: { members: Member[]; total: number }) {
  const { t } = useText();
  return (
    <section aria-labelledby="waiting" className="mt-6 rounded border-s-4 border-marigold bg-card px-5 py-4">
      <h2 id="waiting" className="text-xl">
        {t('community.requests', { count: total })}
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {members.map((member) => (
          <li key={member.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-3">
            <Byline person={member} />
            <Form method="post" className="flex gap-2">
              <input type="hidden" name="user" value={member.id} />
              <input type="hidden" name="name" value={member.name} />
              <Button small name="intent" value="approve">
                {t('community.approve')}
                <span className="sr-only"> {member.name}</span>
              </Button>
              <Button small look="secondary" name="intent" value="decline">
                {t('community.decline')}
                <span className="sr-only"> {member.name}</span>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

type ListProps = Route.ComponentProps['loaderData'] & { list: { members: Member[]; total: number } };

function List({ community, list, name, page, hasNext, viewerId, canAppoint }: ListProps) {
  const { t, rich } = useText();
  const { slug, permissions } = community;
  const address = (number: number) => {
    const search = new URLSearchParams({ ...(name && { q: name }), ...(number > 1 && { page: String(number) }) });
    return `/communities/${slug}/members${search.size ? `?${search}` : ''}`;
  };
  if (list.members.length === 0)
    return (
      <div className="mt-6">
        <EmptyState
          title={t('community.members_none', { name })}
          action={
            <LinkButton to={`/communities/${slug}/members`} look="secondary">
              {t('community.members_all')}
            </LinkButton>
          }
        />
      </div>
    );
  return (
    <>
      <p className="mt-5 text-sm text-muted" role="status">
        {name
          ? t('community.members_found', { count: list.total, name })
          : t('community.members_count', { count: list.total })}
      </p>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {list.members.map((member) => (
          <li key={member.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
            <Byline person={member} />
            <div className="flex w-full items-center gap-3 sm:w-auto sm:grow sm:justify-end">
              <span className="text-sm text-muted">
                {rich('community.member_since', { when: <Time value={member.joinedAt} look="date" /> })}
              </span>
              {member.role === 'owner' ? <Tag look="accent">{t('community.owner')}</Tag> : null}
              {member.role !== 'owner' && member.level === 'full-control' ? (
                <Tag>{t('community.moderator')}</Tag>
              ) : null}
              {permissions.canManage && (member.role !== 'owner' || canAppoint) && member.id !== viewerId ? (
                <div className="ms-auto sm:ms-0">
                  <MemberControls member={member} canAppoint={canAppoint} />
                </div>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        previous={page > 1 ? address(page - 1) : undefined}
        next={hasNext ? address(page + 1) : undefined}
      />
    </>
  );
}
