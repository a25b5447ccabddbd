import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { data, Link } from 'react-router';
import { readArticle } from '@officium/contract/content';
import { shareArticle } from '@officium/contract/shares';
import { endonymOf, isLocale, LOCALES } from '@officium/i18n/locales';
import { act, load, loadSignedIn, refuse } from '../../server/api.ts';
import { SmartForm, useFormScope, useSubmitting } from '../../form/form-scope.tsx';
import { issueOf, keepable } from '../../form/state.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, Field, FieldGroup, Select } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Route } from './+types/share.page';
import { outcomeOf, placesToShare, type Outcome, type Place } from './share.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, viewer, locale } = await loadSignedIn(request, context);
  const [{ slug, title, locale: lang }, places] = await Promise.all([
    api(readArticle, { params }),
    placesToShare({ api, attempt, viewer, locale }),
  ]);
  return { article: { slug, title, lang }, places };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const { viewer, locale } = await load(request, context);
  const message = String(fields.get('title') ?? '');
  const lang = fields.get('locale');
  const communities = [...fields.keys()].filter((name) => name.startsWith('to-')).map((name) => name.slice(3));
  const body = { title: message, communities, ...(isLocale(lang) ? { locale: lang } : {}) };
  const done = await attempt(shareArticle, { params, body });
  if (!done.ok) {
    const { message: text, code, issues, status } = done.failure;
    const said = issues.map((issue) =>
      issue.path.startsWith('communities') ? { ...issue, path: 'communities' } : issue,
    );
    return refuse({ message: text, code, issues: said, values: keepable(fields), status }, status);
  }
  const places = viewer ? await placesToShare({ api, attempt, viewer, locale }) : [];
  return data({
    outcome: outcomeOf(done.body, places),
    sent: { title: message, locale: isLocale(lang) ? lang : locale },
  });
}

export default function SharePage({ loaderData, actionData }: Route.ComponentProps) {
  const { article, places } = loaderData;
  const { t, rich } = useText();
  const answer = actionData && 'outcome' in actionData ? actionData : undefined;
  const title = t('article.share_title');
  return (
    <div className="page py-8 md:py-12">
      <Head title={title} isPrivate />
      <div className="mx-auto max-w-2xl">
        <h1 className="text-4xl">{title}</h1>
        <p className="mt-3 mb-8 text-lg text-muted">
          {rich('article.share_what', {
            title: (
              <Link to={`/articles/${encodeURIComponent(article.slug)}`} className="link" lang={article.lang}>
                <bdi>{article.title}</bdi>
              </Link>
            ),
          })}
        </p>
        {answer ? (
          <Result {...answer} slug={article.slug} />
        ) : places.length ? (
          <ShareForm places={places} />
        ) : (
          <EmptyState
            title={t('article.share_none_title')}
            action={<LinkButton to="/communities">{t('common.communities')}</LinkButton>}
          >
            {t('article.share_none_text')}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

const LANGUAGES = LOCALES.map((value) => ({ value, label: endonymOf(value) }));
const MOST = 3;
const LONGEST_MESSAGE = 300;

function ShareForm({ places }: { places: Place[] }) {
  const { t, locale } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SmartForm className="grid gap-6">
      <Field
        name="title"
        label={t('article.share_message')}
        hint={t('article.share_message_hint')}
        maxLength={LONGEST_MESSAGE}
        dir="auto"
        autoComplete="off"
        required
      />
      <Places places={places} />
      <Select
        name="locale"
        label={t('article.share_language')}
        options={LANGUAGES}
        defaultValue={locale}
        required
        className="w-72 max-w-full"
      />
      <div>
        <Button isBusy={isSubmitting}>{t('article.share_send')}</Button>
      </div>
    </SmartForm>
  );
}

function Places({ places }: { places: Place[] }) {
  const { t } = useText();
  const { state } = useFormScope();
  return (
    <FieldGroup
      name="communities"
      legend={t('article.share_where')}
      hint={t('article.share_where_hint', { count: MOST })}
      error={issueOf(state, 'communities') && t('article.share_choose', { count: MOST })}
    >
      {places.map(({ slug, title }) => (
        <Checkbox
          key={slug}
          name={`to-${slug}`}
          label={<bdi>{title}</bdi>}
          defaultChecked={state?.values ? `to-${slug}` in state.values : false}
        />
      ))}
    </FieldGroup>
  );
}

type ResultProps = { outcome: Outcome; sent: { title: string; locale: string }; slug: string };

/** The outcome for each community. */
function Result({ outcome: { shared, failed }, sent, slug }: ResultProps) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [shared, failed]);
  return (
    <section aria-labelledby="outcome">
      <h2 id="outcome" ref={heading} tabIndex={-1} className="text-2xl">
        {failed.length === 0 ? t('article.share_all') : t('article.share_some', { count: failed.length })}
      </h2>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {shared.map((place) => (
          <li key={place.slug} className="flex items-start gap-3 py-3">
            <Icon as={CircleCheck} className="mt-0.5 text-success" />
            <p>
              {rich('article.share_done', {
                community: (
                  <Link to={`/communities/${place.slug}?order=new`} className="link">
                    <bdi>{place.title}</bdi>
                  </Link>
                ),
              })}
            </p>
          </li>
        ))}
        {failed.map(({ reason, ...place }) => (
          <li key={place.slug} className="flex items-start gap-3 py-3">
            <Icon as={CircleX} className="mt-0.5 text-danger" />
            <p>
              <bdi className="font-semibold">{place.title}</bdi>
              <br />
              {t(`article.share_failed_${reason}`)}
            </p>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        {failed.length ? (
          <SmartForm>
            <input type="hidden" name="title" value={sent.title} />
            <input type="hidden" name="locale" value={sent.locale} />
            {failed.map((place) => (
              <input key={place.slug} type="hidden" name={`to-${place.slug}`} value="on" />
            ))}
            <Button isBusy={isSubmitting}>{t('common.retry')}</Button>
          </SmartForm>
        ) : null}
        <LinkButton to={`/articles/${encodeURIComponent(slug)}`} look="secondary">
          {t('article.back')}
        </LinkButton>
      </div>
    </section>
  );
}
