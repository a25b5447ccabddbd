import { useEffect } from 'react';
import { Form, Link, useRevalidator } from 'react-router';
import type { listAppeals } from '@officium/contract/decisions';
import type { listReports } from '@officium/contract/moderation';
import type { ReplyOf } from '@officium/contract/endpoint';
import { dirOf, isLocale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Byline } from '../../ui/person.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Time } from '../../ui/time.tsx';
import { namesOf } from '../../ui/mentions.ts';
import { useReasonText } from '../../ui/reason-text.ts';
import { excerptOf } from './excerpt.ts';
import { useDeletionState } from '../../ui/deletion.ts';
import { DeletionNotice } from '../../ui/deletion-notice.tsx';
import { queryOfReply } from './thread-address.ts';
import { ReportDecision } from './report-decision.tsx';

type Thing = ReplyOf<typeof listReports>['things'][number];

const GOING = {
  activity: 'thread.going_post',
  reaction: 'thread.going_reply',
  article: 'moderation.article_going',
} as const;

const EXCERPT_LENGTH = 600;

/** An excerpt is enough for a moderator at first sight. */
export function toShown({ bodyHtml, mentionedUsers, ...thing }: Thing) {
  const { html, isCut } = excerptOf(bodyHtml ?? '', EXCERPT_LENGTH);
  return { ...thing, html, isCut, people: namesOf(mentionedUsers) };
}
export type Shown = ReturnType<typeof toShown>;

export function Appeals({ appeals }: { appeals: ReplyOf<typeof listAppeals>['appeals'] }) {
  const { t } = useText();
  if (appeals.length === 0) return null;
  return (
    <section aria-labelledby="appeals" className="mt-6 rounded border-s-4 border-marigold bg-card px-5 py-4">
      <h2 id="appeals" className="text-xl">
        {t('moderation.appeals_waiting', { count: appeals.length })}
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {appeals.map(({ id, kind, appealedAt, canDecide }) => (
          <li key={id} className="py-3">
            <Link to={`/moderation/${id}`} className="link inline-block py-1">
              {t('moderation.what_removed', { kind })}
            </Link>
            <p className="flex flex-wrap gap-x-4 text-sm text-muted">
              <Time value={appealedAt} />
              {canDecide ? null : <span>{t('moderation.appeal_not_own')}</span>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The moderator who holds a case; while it is someone else, only they decide. */
function Claim({ thing: { id, kind, claim }, name }: { thing: Shown; name: string }) {
  const { t } = useText();
  const isOwn = claim?.isOwn ?? false;
  return (
    <Form method="post" className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <input type="hidden" name="target" value={id} />
      <input type="hidden" name="kind" value={kind} />
      {claim ? <p>{isOwn ? t('moderation.case_own') : t('moderation.case_of', { name: claim.name })}</p> : null}
      {claim && !isOwn ? null : (
        <Button small look="quiet" name="intent" value={isOwn ? 'give-back' : 'take'}>
          {t(isOwn ? 'moderation.case_give_back' : 'moderation.case_take')}
          <span className="sr-only">: {name}</span>
        </Button>
      )}
    </Form>
  );
}

/** The address of reported content. */
function pathOf({ id, kind, activityId, lesson, article }: Shown, slug: string | undefined): string {
  if (article) return `/articles/${encodeURIComponent(article.slug)}`;
  if (lesson) return `/courses/${lesson.course}/${lesson.journey}/${lesson.lesson}#post-${id}`;
  const place = `/communities/${slug}/activities/${activityId}`;
  return kind === 'reaction' ? place + queryOfReply(id) : place;
}

/** The open reports, without the names of those who reported. */
function Reports({ reports }: Pick<Shown, 'reports'>) {
  const { t } = useText();
  const reasonText = useReasonText();
  return (
    <>
      <h3 className="mt-4 text-base font-semibold">{t('thread.reports_people', { count: reports.length })}</h3>
      <ul className="mt-1 grid gap-2">
        {reports.map(({ reason, note, rule, createdAt }, index) => (
          <li key={index} className="border-s-4 border-marigold ps-4">
            <p className="flex flex-wrap items-baseline gap-x-4">
              <span className="font-semibold">{reasonText(reason)}</span>
              {rule ? <span className="text-sm">{t('moderation.rule_number', { number: rule })}</span> : null}
              <span className="text-sm text-muted">
                <Time value={createdAt} />
              </span>
            </p>
            {note ? (
              <p dir="auto" className="whitespace-pre-line wrap-anywhere">
                {note}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

type Props = { thing: Shown; /** The community; omitted elsewhere. */ slug?: string };

/** Reported content with its reports and the forms to decide. */
export function Reported({ thing, slug }: Props) {
  const { t } = useText();
  const { id, kind, actor, locale, reports } = thing;
  const isReply = kind === 'reaction';
  const name = thing.title ?? t(isReply ? 'thread.reply_by' : 'community.post_by', { name: actor.name });
  const titleId = `title-${id}`;
  const deletion = useDeletionState(id);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (deletion === 'gone') void revalidate();
  }, [deletion, revalidate]);
  return (
    <article id={id} tabIndex={-1} aria-labelledby={titleId} className="card px-5 py-5 sm:px-6">
      <h2 id={titleId} lang={thing.title ? locale : undefined} dir="auto" className="text-2xl">
        {name}
      </h2>
      <div className="mt-3">
        <Byline person={actor} size={36}>
          <Time value={thing.createdAt} />
        </Byline>
      </div>
      {thing.html ? (
        <div dir={isLocale(locale) ? dirOf(locale) : undefined} className="mt-3 border-s-4 border-line ps-4">
          <RichText html={thing.html} people={thing.people} lang={locale} isCompact />
          {thing.isCut ? <p aria-hidden="true">…</p> : null}
        </div>
      ) : null}
      <p className="mt-2">
        <Link to={pathOf(thing, slug)} className="link inline-block py-1.5">
          {t('thread.reports_see')}
          <span className="sr-only">: {name}</span>
        </Link>
      </p>
      <Reports reports={reports} />
      {deletion === 'failed' ? (
        <p role="alert" className="mt-4 font-semibold text-danger">
          {t('thread.not_deleted')}
        </p>
      ) : null}
      {deletion && deletion !== 'failed' ? (
        <DeletionNotice id={id} state={deletion}>
          {t(deletion === 'gone' ? 'thread.reports_removed' : GOING[kind])}
        </DeletionNotice>
      ) : (
        <>
          <Claim thing={thing} name={name} />
          {thing.claim && !thing.claim.isOwn ? null : <ReportDecision thing={thing} slug={slug} name={name} />}
        </>
      )}
    </article>
  );
}
