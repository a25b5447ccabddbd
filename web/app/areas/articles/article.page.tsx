import { listArticles, readArticle } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
import { load } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Head } from '../../ui/head.tsx';
import { JsonLd } from '../../ui/json-ld.tsx';
import { Byline } from '../../ui/person.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/article.page';
import { topicKey, topicSlug } from './topics.ts';

type Article = Omit<ReplyOf<typeof readArticle>, 'body'>;
type More = Pick<ReplyOf<typeof listArticles>['articles'][number], 'slug' | 'title' | 'locale' | 'minutes'> & {
  author: string;
};

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, origin } = await load(request, context);
  const [{ body: _, ...article }, latest] = await Promise.all([
    api(readArticle, { params }),
    api(listArticles, { query: { limit: '4' } }),
  ]);
  const more: More[] = latest.articles
    .filter(({ slug }) => slug !== article.slug)
    .slice(0, 3)
    .map(({ slug, title, locale, minutes, author }) => ({ slug, title, locale, minutes, author: author.name }));
  return { article, more, origin };
}

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  const { article, more, origin } = loaderData;
  const { t } = useText();
  const { title, subtitle, locale, coverImage, html, tldr, tags, author } = article;
  const image = coverImage ? new URL(coverImage.url, origin).href : undefined;
  return (
    <div className="py-8 md:py-14">
      <Head
        title={article.seoTitle || title}
        description={article.seoDescription || subtitle}
        type="article"
        image={image}
      />
      <JsonLd data={factsOf(article, origin, image)} />
      <article className="page">
        <header className="mx-auto max-w-read">
          <p className="eyebrow flex flex-wrap gap-x-4">
            {tags.map((tag) => (
              <Link
                key={tag}
                to={`/articles?topic=${topicSlug(tag)}`}
                className="py-0.5 hover:text-accent hover:underline"
              >
                {t(topicKey(tag))}
              </Link>
            ))}
          </p>
          <h1 lang={locale} dir="auto" className="mt-3 text-4xl md:text-6xl">
            {title}
          </h1>
          <p lang={locale} dir="auto" className="mt-4 text-xl text-muted md:text-2xl">
            {subtitle}
          </p>
          <div className="mt-6">
            <Byline person={author}>
              <Time value={article.publishedDate} look="date" />
              <span>{t('article.read', { count: article.minutes })}</span>
              {article.humanTranslation ? null : <span>{t('article.machine')}</span>}
            </Byline>
          </div>
        </header>
        <ArticleCover article={article} />
        <div className="mx-auto mt-9 max-w-read">
          {tldr ? (
            <section aria-labelledby="tldr" className="mb-9 border-s-4 border-marigold ps-5">
              <h2 id="tldr" className="font-sans text-sm font-semibold tracking-normal text-muted">
                {t('article.tldr')}
              </h2>
              <p lang={locale} dir="auto" className="mt-1 text-lg whitespace-pre-line">
                {tldr}
              </p>
            </section>
          ) : null}
          <div className="font-serif [&_.prose]:max-w-none">
            <RichText html={html} lang={locale} />
          </div>
          <footer className="mt-10 flex flex-wrap gap-2 border-t border-line pt-6">
            {tags.map((tag) => (
              <Tag key={tag} to={`/articles?topic=${topicSlug(tag)}`}>
                {t(topicKey(tag))}
              </Tag>
            ))}
          </footer>
        </div>
      </article>
      {more.length ? <MoreArticles articles={more} /> : null}
    </div>
  );
}

function ArticleCover({ article }: { article: Article }) {
  const { rich } = useText();
  const { slug, coverImage } = article;
  if (!coverImage)
    return (
      <div className="mx-auto mt-8 h-40 max-w-4xl overflow-hidden rounded sm:h-64">
        <Cover slug={slug} />
      </div>
    );
  const { url, width, height, description, title, authorName, authorLink } = coverImage;
  return (
    <figure className="mx-auto mt-8 max-w-4xl">
      <img
        src={url}
        width={width}
        height={height}
        alt={description ?? title ?? ''}
        className="h-auto w-full rounded bg-sunk"
      />
      <figcaption className="mt-2 text-sm text-muted">
        {rich('article.cover_by', {
          name: (
            <a href={authorLink} rel="noopener" className="link">
              <bdi>{authorName}</bdi>
            </a>
          ),
        })}
      </figcaption>
    </figure>
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
  const address = `${origin}/articles/${article.slug}`;
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
    author: { '@type': 'Person', name: article.author.name, url: `${origin}/people/${article.author.id}` },
    publisher: { '@type': 'Organization', name: 'Officium', url: origin },
  };
}
