import { Link } from 'react-router';
import {
  type Follow,
  type FollowKind,
  FOLLOW_KINDS,
  FOLLOW_LEVELS,
  listFollows,
  setCommunityFollow,
  setPersonFollow,
  setThreadFollow,
  setTopicFollow,
} from '@officium/contract/follows';
import { act, type Attempt, loadSignedIn } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { topicKey, TOPICS } from '../../topics.ts';
import { Button } from '../../ui/button.tsx';
import { levelKey } from '../../ui/follow-level.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Part } from '../../ui/part.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Route } from './+types/following.page';
import { Settings } from './settings.tsx';

const HERE = '/me/settings/following';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  const { follows } = await api(listFollows, { query: { locale } });
  const of = (kind: FollowKind) => follows.filter((one) => one.kind === kind);
  return {
    groups: FOLLOW_KINDS.filter((kind) => kind !== 'topic').map((kind) => ({ kind, follows: of(kind) })),
    topics: of('topic').map(({ id }) => id),
  };
}

/** Also answers the menus of communities and threads, and returns to their page. */
export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const changed = await change(attempt, fields);
  if (!changed.ok) return changed.refusal;
  return redirectWith(fields.get('intent') === 'menu' ? (changed.body.path ?? HERE) : HERE, { key: 'common.saved' });
}

async function change(attempt: Attempt, fields: FormData) {
  const id = textOf(fields, 'id');
  const level = FOLLOW_LEVELS.find((known) => known === fields.get('level')) ?? 'normal';
  switch (fields.get('kind')) {
    case 'thread':
      return await attempt(setThreadFollow, { params: { id }, body: { level } });
    case 'person':
      return await attempt(setPersonFollow, { params: { id }, body: { level } });
    case 'topic':
      return await attempt(setTopicFollow, {
        params: { topic: id },
        body: { level: level === 'watching' ? 'watching' : 'normal' },
      });
    default:
      return await attempt(setCommunityFollow, { params: { slug: id }, body: { level } });
  }
}

export default function Following({ loaderData: { groups, topics } }: Route.ComponentProps) {
  const { t } = useText();
  const shown = groups.filter(({ follows }) => follows.length > 0);
  return (
    <Settings title={t('follow.title')} intro={t('follow.intro')}>
      {shown.length === 0 ? (
        <div className="mt-6">
          <EmptyState title={t('follow.empty_title')}>{t('follow.empty_text')}</EmptyState>
        </div>
      ) : null}
      {shown.map(({ kind, follows }) => (
        <Part key={kind} id={kind} title={t(`follow.list_${kind}`)}>
          <ul className="divide-y divide-line border-y border-line">
            {follows.map((follow) => (
              <Row key={follow.id} follow={follow} />
            ))}
          </ul>
        </Part>
      ))}
      <Part id="topic" title={t('follow.list_topic')} intro={t('follow.topic_watching')}>
        <ul className="flex flex-wrap gap-2">
          {TOPICS.map((topic) => (
            <li key={topic}>
              <SmartForm intent={topic}>
                <input type="hidden" name="kind" value="topic" />
                <input type="hidden" name="id" value={topic} />
                <button
                  name="level"
                  value={topics.includes(topic) ? 'normal' : 'watching'}
                  aria-pressed={topics.includes(topic)}
                  className={`min-h-11 rounded-full border px-4 ${topics.includes(topic) ? 'border-accent bg-accent-soft font-semibold' : 'border-line bg-card hover:border-accent'}`}
                >
                  {topics.includes(topic) ? '✓ ' : ''}
                  {t(topicKey(topic))}
                </button>
              </SmartForm>
            </li>
          ))}
        </ul>
      </Part>
    </Settings>
  );
}

function Row({ follow: { kind, id, title, place, path, level } }: { follow: Follow }) {
  const { t } = useText();
  const intent = `${kind}-${id}`;
  const { isSubmitting } = useSubmitting(intent);
  const name = title ?? place ?? t('search.untitled');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-48 flex-1">
        <Link to={path ?? HERE} className="title-link wrap-anywhere">
          <bdi>{name}</bdi>
        </Link>
        {title && place ? (
          <p dir="auto" className="text-sm text-muted">
            {place}
          </p>
        ) : null}
      </div>
      <Tag look={level === 'watching' ? 'accent' : 'plain'}>{t(levelKey(kind, level))}</Tag>
      <SmartForm intent={intent}>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="level" value="normal" />
        <Button look="quiet" isBusy={isSubmitting}>
          {t('follow.remove')}
          <span className="sr-only"> “{name}”</span>
        </Button>
      </SmartForm>
    </li>
  );
}
