import { Link } from 'react-router';
import { listArticles } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { load } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/articles.page';
import { topicKey, topicOf, topicSlug, TOPICS, type Topic } from './topics.ts';

type Card = ReplyOf<typeof listArticles>['articles'][number];

const PAGE_SIZE = 21;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await load(request, context);
  const topic = topicOf(url.searchParams.get('topic'));
  const page = Math.max(Math.trunc(Number(url.searchParams.get('page')) || 1), 1);
  const offset = (page - 1) * PAGE_SIZE;
  const { articles, total } = await api(listArticles, {
    query: { limit: String(PAGE_SIZE), offset: String(offset), tag: topic },
  });
  return { articles, topic, page, hasNext: offset + PAGE_SIZE < total };
}

export default function Articles({ loaderData }: Route.ComponentProps) {
  const { articles, topic, page, hasNext } = loaderData;
  const { t } = useText();
  const [first, ...rest] = articles;
  const title = topic ? t(topicKey(topic)) : t('article.list_title');
  return (
    <div className="page py-10 md:py-14">
      <Head title={title} description={t('article.list_intro')} />
      {topic ? <p className="eyebrow mb-1">{t('article.list_title')}</p> : null}
      <h1 className="text-4xl md:text-5xl">{title}</h1>
      <p className="mt-3 max-w-2xl text-lg text-muted">{t('article.list_intro')}</p>
      <Topics present={topic} />
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
          <Nothing topic={topic} />
        </div>
      )}
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(topic, page - 1) : undefined}
        next={hasNext ? addressOf(topic, page + 1) : undefined}
      />
    </div>
  );
}

function addressOf(topic: Topic | undefined, page = 1): string {
  const search = new URLSearchParams();
  if (topic) search.set('topic', topicSlug(topic));
  if (page > 1) search.set('page', String(page));
  return `/articles${search.size ? `?${search}` : ''}`;
}

function Topics({ present }: { present: Topic | undefined }) {
  const { t } = useText();
  return (
    <nav aria-label={t('article.topics')} className="mt-6">
      <ul className="flex flex-wrap gap-2 text-sm">
        {[undefined, ...TOPICS].map((topic) => (
          <li key={topic ?? ''}>
            <Link
              to={addressOf(topic)}
              aria-current={topic === present ? 'page' : undefined}
              className="inline-flex min-h-8 items-center rounded-full border border-line px-3 hover:border-accent hover:text-accent aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-paper forced-colors:aria-[current]:underline"
            >
              {topic ? t(topicKey(topic)) : t('article.all_topics')}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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

/** The newest, as the front of a journal has it. */
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

function Nothing({ topic }: { topic: Topic | undefined }) {
  const { t } = useText();
  if (!topic) return <EmptyState title={t('article.empty_title')}>{t('article.empty_text')}</EmptyState>;
  return (
    <EmptyState
      title={t('article.none_topic', { topic: t(topicKey(topic)) })}
      action={
        <LinkButton to="/articles" look="secondary">
          {t('article.all')}
        </LinkButton>
      }
    />
  );
}
