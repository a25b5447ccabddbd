import { Bell, BellRing, PenLine } from 'lucide-react';
import { Form, Link } from 'react-router';
import { listArticles } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { listFollows, setTopicFollow } from '@officium/contract/follows';
import { endonymOf, isLocale, LOCALES, type Locale } from '@officium/i18n/locales';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { pageNumberOf } from '../../form/page-number.ts';
import { act, type Attempt, load } from '../../server/api.ts';
import type { Viewer } from '../../server/page-context.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/articles.page';
import { mayWrite } from './may-write.ts';
import { topicKey, topicOf, topicSlug, TOPICS, type Topic } from '../../topics.ts';

type Card = ReplyOf<typeof listArticles>['articles'][number];

const PAGE_SIZE = 21;

/** The filters in the address. */
type View = { topic: Topic | undefined; language: Locale | undefined; isMine: boolean };

export async function loader({ request, context }: Route.LoaderArgs) {
  const args = await load(request, context);
  const { api, url, viewer } = args;
  const language = url.searchParams.get('language');
  const view: View = {
    topic: topicOf(url.searchParams.get('topic')),
    language: isLocale(language) ? language : undefined,
    isMine: viewer !== null && url.searchParams.has('mine'),
  };
  const page = pageNumberOf(url);
  const offset = (page - 1) * PAGE_SIZE;
  const [{ articles, total }, isFollowed] = await Promise.all([
    api(listArticles, {
      query: {
        limit: String(PAGE_SIZE),
        offset: String(offset),
        tag: view.topic,
        language: view.language,
        ...(view.isMine ? { mine: 'true' } : {}),
      },
    }),
    view.topic && !view.isMine ? isFollowing(args, view.topic) : null,
  ]);
  const hasNext = offset + PAGE_SIZE < total;
  return { articles, view, page, hasNext, canWrite: mayWrite(viewer), isFollowed };
}

/** Whether the viewer follows a topic; null for viewers who get no notifications. */
async function isFollowing(
  { attempt, viewer }: { attempt: Attempt; viewer: Viewer | null },
  topic: Topic,
): Promise<boolean | null> {
  if (!viewer || viewer.limited || viewer.role === 'inactive') return null;
  const answer = await attempt(listFollows, {});
  return answer.ok ? answer.body.follows.some(({ kind, id }) => kind === 'topic' && id === topic) : null;
}

/** Follows the topic of the address, or ends that. */
export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const topic = topicOf(url.searchParams.get('topic'));
  const level = fields.get('level') === 'watching' ? 'watching' : 'normal';
  const changed = await attempt(setTopicFollow, { params: { topic: topic ?? '' }, body: { level } });
  if (!changed.ok) return changed.refusal;
  return redirectWith(url.pathname + url.search, { key: 'common.saved' });
}

export default function Articles({ loaderData }: Route.ComponentProps) {
  const { articles, view, page, hasNext, canWrite, isFollowed } = loaderData;
  const { t } = useText();
  const { topic, isMine } = view;
  const [first, ...rest] = articles;
  const title = isMine ? t('article.mine') : topic ? t(topicKey(topic)) : t('article.list_title');
  return (
    <div className="page py-10 md:py-14">
      <Head
        title={title}
        description={t('article.list_intro')}
        pictureTitle={t('article.list_title')}
        isPrivate={isMine}
        feed="/articles/feed.xml"
      />
      {topic || isMine ? <p className="eyebrow mb-1">{t('article.list_title')}</p> : null}
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="text-4xl md:text-5xl">{title}</h1>
          <p className="mt-3 max-w-2xl text-lg text-muted">{t('article.list_intro')}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          {isFollowed === null ? null : <FollowTopic isFollowed={isFollowed} />}
          {canWrite ? (
            <LinkButton to="/articles/new">
              <Icon as={PenLine} size={18} />
              {t('article.write')}
            </LinkButton>
          ) : null}
        </div>
      </div>
      <Topics view={view} canWrite={canWrite} />
      <Language key={view.language} view={view} />
      {first ? (
        <>
          <Lead article={first} />
          <ul className="mt-10 grid gap-x-10 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
            {rest.map((article) => (
              <Item key={article.slug} article={article} />
            ))}
          </ul>
        </>
      ) : (
        <div className="mt-8">
          <Nothing view={view} />
        </div>
      )}
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(view, page - 1) : undefined}
        next={hasNext ? addressOf(view, page + 1) : undefined}
      />
    </div>
  );
}

function FollowTopic({ isFollowed }: { isFollowed: boolean }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('follow');
  return (
    <SmartForm intent="follow">
      <input type="hidden" name="level" value={isFollowed ? 'normal' : 'watching'} />
      <Button look="secondary" aria-pressed={isFollowed} isBusy={isSubmitting}>
        <Icon as={isFollowed ? BellRing : Bell} size={18} />
        {t('follow.follow_topic')}
      </Button>
    </SmartForm>
  );
}

function addressOf({ topic, language, isMine }: View, page = 1): string {
  const search = new URLSearchParams();
  if (topic) search.set('topic', topicSlug(topic));
  if (language) search.set('language', language);
  if (isMine) search.set('mine', '1');
  if (page > 1) search.set('page', String(page));
  return `/articles${search.size ? `?${search}` : ''}`;
}

function Topics({ view, canWrite }: { view: View; canWrite: boolean }) {
  const { t } = useText();
  const { language, topic: present, isMine } = view;
  const links = [undefined, ...TOPICS].map((topic) => ({
    to: addressOf({ topic, language, isMine: false }),
    label: topic ? t(topicKey(topic)) : t('article.all_topics'),
    isCurrent: topic === present && !isMine,
  }));
  const mine = { to: '/articles?mine=1', label: t('article.mine'), isCurrent: isMine };
  return (
    <nav aria-label={t('article.topics')} className="mt-6">
      <ul className="flex flex-wrap gap-2 text-sm">
        {[...links, ...(canWrite ? [mine] : [])].map(({ to, label, isCurrent }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={isCurrent ? 'page' : undefined}
              className="inline-flex min-h-8 items-center rounded-full border border-line px-3 hover:border-accent hover:text-accent aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-paper forced-colors:aria-[current]:underline"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Language({ view: { topic, language, isMine } }: { view: View }) {
  const { t } = useText();
  const options = [
    { value: '', label: t('article.any_language') },
    ...LOCALES.map((value) => ({ value, label: endonymOf(value) })),
  ];
  return (
    <Form action="/articles" className="mt-5 flex max-w-md items-end gap-3">
      {topic ? <input type="hidden" name="topic" value={topicSlug(topic)} /> : null}
      {isMine ? <input type="hidden" name="mine" value="1" /> : null}
      <Select
        name="language"
        label={t('article.written_in')}
        options={options}
        defaultValue={language ?? ''}
        hideOptional
        className="min-w-0 flex-1"
      />
      <Button look="secondary">{t('common.apply')}</Button>
    </Form>
  );
}

function Picture({ article, className }: { article: Card; className: string }) {
  return (
    <Link
      to={`/articles/${article.slug}`}
      tabIndex={-1}
      aria-hidden="true"
      className={`block overflow-hidden rounded ${className}`}
    >
      <Cover slug={article.slug} src={article.coverImage?.url} />
    </Link>
  );
}

/** The newest article, as the lead of the page. */
function Lead({ article }: { article: Card }) {
  return (
    <article className="mt-8 grid items-center gap-x-10 gap-y-5 border-y border-line py-8 md:grid-cols-2">
      <Picture article={article} className="aspect-16/10" />
      <div>
        <Kicker article={article} />
        <h2 lang={article.locale} dir="auto" className="mt-2 text-4xl">
          <Link to={`/articles/${article.slug}`} className="title-link">
            {article.title}
          </Link>
        </h2>
        <p lang={article.locale} dir="auto" className="mt-2 text-lg text-muted">
          {article.subtitle}
        </p>
        <Facts article={article} />
      </div>
    </article>
  );
}

function Item({ article }: { article: Card }) {
  return (
    <li>
      <article>
        <Picture article={article} className="aspect-16/9" />
        <div className="mt-4">
          <Kicker article={article} />
        </div>
        <h2 lang={article.locale} dir="auto" className="mt-1 text-2xl">
          <Link to={`/articles/${article.slug}`} className="title-link">
            {article.title}
          </Link>
        </h2>
        <p lang={article.locale} dir="auto" className="mt-1 text-muted">
          {article.subtitle}
        </p>
        <Facts article={article} />
      </article>
    </li>
  );
}

function Kicker({ article }: { article: Card }) {
  const { t } = useText();
  const [topic] = article.tags;
  return topic ? <p className="eyebrow">{t(topicKey(topic))}</p> : null;
}

function Facts({ article }: { article: Card }) {
  const { t, rich } = useText();
  return (
    <p className="mt-3 flex flex-wrap gap-x-4 text-sm text-muted">
      <span>{rich('article.by', { name: <bdi>{article.author.name}</bdi> })}</span>
      <span>{t('article.read', { count: article.minutes })}</span>
    </p>
  );
}

function Nothing({ view: { topic, language, isMine } }: { view: View }) {
  const { t } = useText();
  if (isMine && !topic && !language)
    return (
      <EmptyState
        title={t('article.mine_none')}
        action={<LinkButton to="/articles/new">{t('article.write')}</LinkButton>}
      />
    );
  if (!topic && !language) return <EmptyState title={t('article.empty_title')}>{t('article.empty_text')}</EmptyState>;
  return (
    <EmptyState
      title={topic && !language ? t('article.none_topic', { topic: t(topicKey(topic)) }) : t('article.none_found')}
      action={
        <LinkButton to="/articles" look="secondary">
          {t('article.all')}
        </LinkButton>
      }
    />
  );
}
