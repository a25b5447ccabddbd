import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { SmartForm, useFormScope, useSubmitting } from '../form/form-scope.tsx';
import { issueOf } from '../form/state.ts';
import { useText } from '../text.tsx';
import { Button, LinkButton } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { Checkbox, Field, FieldGroup, Select } from './field.tsx';
import { Head } from './head.tsx';
import { Icon } from './icon.tsx';

export type SharePlace = { slug: string; title: string };
/** Why something did not reach a community. */
export type ShareReason = 'forbidden' | 'missing' | 'other';
export type ShareResult = {
  outcome: { shared: SharePlace[]; failed: (SharePlace & { reason: ShareReason })[] };
  sent: { title: string; locale: string };
};

type PageProps = {
  /** The shared thing, as a link. */
  what: ReactNode;
  /** Says what a good message tells. */
  hint: string;
  /** Explains that the viewer needs a community first. */
  none: string;
  back: { to: string; label: string };
  places: SharePlace[];
  result: ShareResult | undefined;
};

/** A page that shares something to communities. */
export function SharePage({ what, hint, none, back, places, result }: PageProps) {
  const { t } = useText();
  const title = t('article.share_title');
  return (
    <div className="page py-8 md:py-12">
      <Head title={title} isPrivate />
      <div className="mx-auto max-w-2xl">
        <h1 className="text-4xl">{title}</h1>
        <p className="mt-3 mb-8 text-lg text-muted">{what}</p>
        {result ? (
          <Result {...result} back={back} />
        ) : places.length ? (
          <ShareForm places={places} hint={hint} />
        ) : (
          <EmptyState
            title={t('article.share_none_title')}
            action={<LinkButton to="/communities">{t('common.communities')}</LinkButton>}
          >
            {none}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

const LANGUAGES = LOCALES.map((value) => ({ value, label: endonymOf(value) }));
const MOST = 3;
const LONGEST_MESSAGE = 300;

function ShareForm({ places, hint }: { places: SharePlace[]; hint: string }) {
  const { t, locale } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SmartForm className="grid gap-6">
      <Field
        name="title"
        label={t('article.share_message')}
        hint={hint}
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

function Places({ places }: { places: SharePlace[] }) {
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

type ResultProps = ShareResult & Pick<PageProps, 'back'>;

/** The outcome for each community. */
function Result({ outcome: { shared, failed }, sent, back }: ResultProps) {
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
        <LinkButton to={back.to} look="secondary">
          {back.label}
        </LinkButton>
      </div>
    </section>
  );
}
