import { listArticles, readArticle } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { PenLine, Share2 } from 'lucide-react';
import { Link } from 'react-router';
import { load } from '../../api.ts';
import { loadArticleTranslation, loadSources } from '../../translation.load.ts';
import { isTranslated } from '../../translation.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JsonLd } from '../../ui/json-ld.tsx';
import { Byline, factsOfPerson } from '../../ui/person.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { TranslationLine, TranslationsProvider } from '../../ui/translated.tsx';
import type { Route } from './+types/article.page';
import { ArticleText } from './article-text.tsx';
import { topicKey, topicSlug } from './topics.ts';

type Article = Omit<ReplyOf<typeof readArticle>, 'body'>;
type More = Pick<ReplyOf<typeof listArticles>['articles'][number], 'slug' | 'title' | 'locale' | 'minutes'> & {
  author: string;
};

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const args = await load(request, context);
  const { api, origin, url } = args;
  const [{ body: _, ...article }, latest, sources, translation] = await Promise.all([
    api(readArticle, { params }),
    api(listArticles, { query: { limit: '4' } }),
    loadSources(args),
    url.searchParams.has('translate') ? loadArticleTranslation(args, params.slug) : undefined,
  ]);
  const more: More[] = latest.articles
    .filter(({ slug }) => slug !== article.slug)
    .slice(0, 3)
    .map(({ slug, title, locale, minutes, author }) => ({ slug, title, locale, minutes, author: author.name }));
  return { article, more, origin, translation, translations: { sources, made: {} } };
}

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  const { article, more, origin, translation } = loaderData;
  const shown = isTranslated(translation) ? { ...article, ...translation } : article;
  const { t } = useText();
  const { title, subtitle, tags } = article;
  const image = article.coverImage ? new URL(article.coverImage.url, origin).href : undefined;
  return (
    <div className="py-8 md:py-14">
      <Head
        title={article.seoTitle || title}
        description={article.seoDescription || subtitle}
        type="article"
        trail={[{ name: t('article.list_title'), path: '/articles' }]}
        feed="/articles/feed.xml"
      />
      {import.meta.env.SSR && <JsonLd data={factsOf(article, origin, image)} />}
      <article className="page">
        <ArticleText
          article={shown}
          byline={
            <>
              <Line article={article} />
              <TranslationsProvider value={loaderData.translations}>
                <div className="mt-2">
                  <TranslationLine lang={article.locale} translation={translation} to="?translate=1" back="?" />
                </div>
              </TranslationsProvider>
            </>
          }
        />
        <footer className="mx-auto mt-10 flex max-w-read flex-wrap items-center justify-between gap-x-6 gap-y-4 border-t border-line pt-6">
          <div className="flex flex-wrap gap-2">
            {tags.map((tag) => (
              <Tag key={tag} to={`/articles?topic=${topicSlug(tag)}`}>
                {t(topicKey(tag))}
              </Tag>
            ))}
          </div>
          <Actions article={article} />
        </footer>
      </article>
      {more.length ? <MoreArticles articles={more} /> : null}
    </div>
  );
}

/** Corrected within a day of publishing, an article counts as one of that day. */
const SOON_MS = 86_400_000;

function Line({ article }: { article: Article }) {
  const { t } = useText();
  const { author, publishedDate, updatedAt, minutes, humanTranslation } = article;
  const isChanged = Date.parse(updatedAt) - Date.parse(publishedDate) > SOON_MS;
  return (
    <Byline person={author}>
      <Time value={publishedDate} look="date" />
      {isChanged ? (
        <span>
          {t('article.updated')} <Time value={updatedAt} look="date" />
        </span>
      ) : null}
      <span>{t('article.read', { count: minutes })}</span>
      {humanTranslation ? null : <span>{t('article.machine')}</span>}
    </Byline>
  );
}

/** Somebody who is not signed in is led to do that, and back. */
function Actions({ article: { slug, can } }: { article: Article }) {
  const { t } = useText();
  const here = `/articles/${encodeURIComponent(slug)}`;
  return (
    <div className="no-print flex flex-wrap gap-3">
      {can.edit ? (
        <LinkButton to={`${here}/edit`} look="secondary" small>
          <Icon as={PenLine} size={16} />
          {t('common.edit')}
        </LinkButton>
      ) : null}
      <LinkButton to={`${here}/share`} look="secondary" small rel="nofollow">
        <Icon as={Share2} size={16} />
        {t('article.share')}
      </LinkButton>
    </div>
  );
}

function MoreArticles({ articles }: { articles: More[] }) {
  const { t, rich } = useText();
  return (
    <section aria-labelledby="more" className="page mt-14">
      <div className="mx-auto max-w-4xl border-t-2 border-ink pt-5">
        <h2 id="more" className="text-2xl">
          {t('article.more')}
        </h2>
        <ul className="mt-4 grid gap-8 sm:grid-cols-3">
          {articles.map(({ slug, title, locale, minutes, author }) => (
            <li key={slug}>
              <h3 lang={locale} dir="auto" className="text-xl">
                <Link to={`/articles/${slug}`} className="title-link">
                  {title}
                </Link>
              </h3>
              <p className="mt-1 text-sm text-muted">
                {rich('article.by', { name: <bdi>{author}</bdi> })} · {t('article.read', { count: minutes })}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function factsOf(article: Article, origin: string, image: string | undefined) {
  const address = `${origin}/articles/${encodeURIComponent(article.slug)}`;
  return {
    '@type': 'Article',
    '@id': address,
    mainEntityOfPage: address,
    headline: article.title,
    description: article.subtitle,
    inLanguage: article.locale,
    datePublished: article.publishedDate,
    dateModified: article.updatedAt,
    ...(image && { image: [image] }),
    author: factsOfPerson(article.author, origin),
    publisher: { '@type': 'Organization', name: 'Officium', url: origin },
  };
}
