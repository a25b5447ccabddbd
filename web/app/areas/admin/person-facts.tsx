import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { readPerson } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';
import { useText } from '../../text.tsx';
import { Time } from '../../ui/time.tsx';
import { keyOf, State } from './person-state.tsx';

type Person = ReplyOf<typeof readPerson>;

/** Summary of an account and its data. */
export function PersonFacts({ person }: { person: Person }) {
  const { t, number } = useText();
  const { communities, cohorts } = person;
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Fact label={t('auth.email')}>
        <bdi className="wrap-anywhere">{person.email}</bdi>
      </Fact>
      <Fact label={t('admin.people_state')}>
        <State state={person.state} />
      </Fact>
      <Fact label={t('admin.people_role')}>{t(`admin.people_role_${keyOf(person.role)}`)}</Fact>
      <Fact label={t('admin.people_since')}>
        <Time value={person.createdAt} look="date" />
      </Fact>
      <Fact label={t('admin.people_last_seen')}>{person.lastSeenAt ? <Time value={person.lastSeenAt} /> : null}</Fact>
      <Fact label={t('auth.job_title')}>{person.jobTitle}</Fact>
      <Fact label={t('auth.organization')}>{person.organization}</Fact>
      <Fact label={t('common.communities')} rest={communities}>
        {communities.first.map(({ slug, title }) => (
          <Link key={slug} to={`/communities/${slug}`} className="link block min-h-6">
            <bdi>{title}</bdi>
          </Link>
        ))}
      </Fact>
      <Fact label={t('admin.cohorts')} rest={cohorts}>
        {cohorts.first.map(({ id, name }) => (
          <Link key={id} to={`/admin/cohorts/${id}`} className="link block min-h-6">
            <bdi>{name}</bdi>
          </Link>
        ))}
      </Fact>
      <Fact label={t('admin.people_posts')}>{number(person.posts)}</Fact>
    </dl>
  );
}

type Rest = { total: number; first: readonly unknown[] };

function Fact({ label, rest, children }: { label: string; rest?: Rest; children: ReactNode }) {
  const { t } = useText();
  const more = rest ? rest.total - rest.first.length : 0;
  const isEmpty = rest ? rest.total === 0 : !children;
  return (
    <div className="border-t border-line pt-3">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1">
        {isEmpty ? '–' : children}
        {more > 0 ? <p className="text-sm text-muted">{t('admin.people_more', { count: more })}</p> : null}
      </dd>
    </div>
  );
}
