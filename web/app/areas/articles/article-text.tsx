import type { readArticle } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { BlockText } from '../../ui/block-text.tsx';
import { topicKey, topicSlug, type Topic } from '../../topics.ts';

type Article = ReplyOf<typeof readArticle>;
type Shown = Pick<Article, 'title' | 'subtitle' | 'locale' | 'html' | 'tldr' | 'tags' | 'coverImage'> & {
  slug: string;
};

type Props = {
  article: Shown;
  /** Author, date and reading time, below the title. */
  byline: ReactNode;
  /** h1 on its page, h3 in a preview. */
  heading?: 'h1' | 'h3';
};

/** The text of an article, used by its page and by the preview. */
export function ArticleText({ article, byline, heading: Heading = 'h1' }: Props) {
  const { t } = useText();
  const { title, subtitle, locale, html, tldr, tags } = article;
  return (
    <>
      <header className="mx-auto max-w-read">
        <Topics tags={tags} />
        <Heading lang={locale} dir="auto" className="mt-3 text-4xl md:text-6xl">
          {title}
        </Heading>
        <p lang={locale} dir="auto" className="mt-4 text-xl text-muted md:text-2xl">
          {subtitle}
        </p>
        <div className="mt-6">{byline}</div>
      </header>
      <ArticleCover article={article} />
      <div className="mx-auto mt-9 max-w-read">
        {tldr ? (
          <div className="mb-9 border-s-4 border-marigold ps-5">
            <p className="text-sm font-semibold text-muted">{t('article.tldr')}</p>
            <p lang={locale} dir="auto" className="mt-1 text-lg whitespace-pre-line">
              {tldr}
            </p>
          </div>
        ) : null}
        <div className="font-serif [&_.prose]:max-w-none">
          <BlockText html={html} lang={locale} />
        </div>
      </div>
    </>
  );
}

function Topics({ tags }: { tags: Topic[] }) {
  const { t } = useText();
  if (tags.length === 0) return null;
  return (
    <p className="eyebrow flex flex-wrap gap-x-4">
      {tags.map((tag) => (
        <Link key={tag} to={`/articles?topic=${topicSlug(tag)}`} className="py-0.5 hover:text-accent hover:underline">
          {t(topicKey(tag))}
        </Link>
      ))}
    </p>
  );
}

function ArticleCover({ article }: { article: Shown }) {
  const { rich } = useText();
  const { slug, coverImage, locale } = article;
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
        lang={locale}
        fetchPriority="high"
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
