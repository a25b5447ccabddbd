import { deleteArticle, listArticles, readArticle, RESTORE_DAYS, restoreArticle } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { PenLine, Share2, Undo2 } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act, load } from '../../server/api.ts';
import { loadArticleTranslation, loadSources } from '../../server/translation.load.ts';
import { isTranslated } from '../../translation.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JsonLd, useOrganization } from '../../ui/json-ld.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Byline, factsOfPerson } from '../../ui/person.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { TranslationLine, TranslationsProvider } from '../../ui/translated.tsx';
import type { Route } from './+types/article.page';
import { ArticleText } from './article-text.tsx';
import { moderate } from './moderate.act.ts';
import { topicKey, topicSlug } from '../../topics.ts';

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
    ReasonForm.load(),
  ]);
  const more: More[] = latest.articles
    .filter(({ slug }) => slug !== article.slug)
    .slice(0, 3)
    .map(({ slug, title, locale, minutes, author }) => ({ slug, title, locale, minutes, author: author.name }));
  // The number comes from here, because the contract would double the script of the page.
  return { article, more, origin, translation, translations: { sources, made: {} }, restoreDays: RESTORE_DAYS };
}

/** Deletes the article, restores or reports it, which lead back to this page, or removes it as an administrator. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const args = await act(request, context);
  const { attempt, fields } = args;
  const intent = fields.get('intent');
  if (intent === 'report' || intent === 'remove') return await moderate(args, params.slug, intent);
  const isRestoring = intent === 'restore';
  const done = await attempt(isRestoring ? restoreArticle : deleteArticle, { params });
  const here = `/articles/${encodeURIComponent(params.slug)}`;
  return done.ok
    ? redirectWith(here, { key: isRestoring ? 'article.is_restored' : 'article.is_deleted' })
    : done.refusal;
}

const ReasonForm = lazyPart(async () => (await import('./reason-form.tsx')).ReasonForm);

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  const { article, more, origin, translation } = loaderData;
  const publisher = useOrganization();
  const shown = isTranslated(translation) ? { ...article, ...translation } : article;
  const { t } = useText();
  const { title, subtitle, tags } = article;
  const isDeleted = article.restorableUntil !== null;
  const image = article.coverImage ? new URL(article.coverImage.url, origin).href : undefined;
  return (
    <div className="py-8 md:py-14">
      <Head
        title={article.seoTitle || title}
        description={article.seoDescription || subtitle}
        type="article"
        trail={[{ name: t('article.list_title'), path: '/articles' }]}
        isPrivate={isDeleted}
        feed="/articles/feed.xml"
      />
      {article.restorableUntil ? <Deleted until={article.restorableUntil} /> : null}
      {import.meta.env.SSR && !isDeleted && <JsonLd data={factsOf(article, { origin, image, publisher })} />}
      <article className="page">
        <ArticleText
          article={shown}
          byline={
            <>
              <Line article={article} />
              {isDeleted ? null : (
                <TranslationsProvider value={loaderData.translations}>
                  <div className="mt-2">
                    <TranslationLine lang={article.locale} translation={translation} to="?translate=1" back="?" />
                  </div>
                </TranslationsProvider>
              )}
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
          {isDeleted ? null : <Actions article={article} restoreDays={loaderData.restoreDays} />}
        </footer>
      </article>
      {more.length ? <MoreArticles articles={more} /> : null}
    </div>
  );
}

/** An edit within a day of publishing is not shown as an update. */
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

/** States that the article is deleted, and offers to restore it. Only its author sees this. */
function Deleted({ until }: { until: string }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting('restore');
  return (
    <div className="page mb-8">
      <div className="mx-auto max-w-read">
        <Notice tone="danger" title={t('article.deleted_title')}>
          <p>{rich('article.deleted_text', { date: <Time value={until} look="date" /> })}</p>
          <SmartForm intent="restore" className="mt-3">
            <Button look="secondary" isBusy={isSubmitting}>
              <Icon as={Undo2} size={16} />
              {t('article.restore')}
            </Button>
          </SmartForm>
        </Notice>
      </div>
    </div>
  );
}

/** Links to the actions of an article. Visitors are sent to sign in and back. */
function Actions({ article: { slug, can }, restoreDays }: { article: Article; restoreDays: number }) {
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
      {can.report && !can.moderate ? <Reason act="report" /> : null}
      {can.moderate ? <Reason act="remove" /> : null}
      {can.delete ? (
        <ConfirmAction intent="delete" label={t('common.delete')} look="quiet">
          {t('article.delete_text', { days: restoreDays })}
        </ConfirmAction>
      ) : null}
    </div>
  );
}

/** The form that reports the article or removes it, loaded on its own: most readers never open it. */
function Reason({ act }: { act: 'report' | 'remove' }) {
  return (
    <Suspense>
      <ReasonForm.Part act={act} />
    </Suspense>
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

type Around = { origin: string; image: string | undefined; publisher: ReturnType<typeof useOrganization> };

function factsOf(article: Article, { origin, image, publisher }: Around) {
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
    publisher,
  };
}
