import { useEffect } from 'react';
import { Form, Link, useRevalidator } from 'react-router';
import { readCommunity } from '@officium/contract/community';
import { readCommunitySettings } from '@officium/contract/community-settings';
import { listAppeals } from '@officium/contract/decisions';
import { decideReports, listReports } from '@officium/contract/moderation';
import { claimCase } from '@officium/contract/moderation-office';
import type { ReplyOf } from '@officium/contract/endpoint';
import { dirOf, isLocale } from '@officium/i18n/locales';
import { act, loadSignedIn } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Byline } from '../../ui/person.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Time } from '../../ui/time.tsx';
import { optionalOf, textOf } from '../../form/fields.ts';
import { namesOf } from '../../ui/mentions.ts';
import { useReasonText } from '../../ui/reason-text.ts';
import type { Route } from './+types/reports.page';
import { CommunityCrumb } from './community-head.tsx';
import { excerptOf } from './excerpt.ts';
import { useGoing } from '../../ui/going.ts';
import { GoingNotice } from '../../ui/going-notice.tsx';
import { reasonOf } from './reason-field.ts';
import { namesOfRules, ruleOf, RulesProvider } from './rules.tsx';
import { queryOfReply } from './thread-address.ts';
import { ReportDecision } from './report-decision.tsx';

type Thing = ReplyOf<typeof listReports>['things'][number];

const PAGE_SIZE = 20;
const EXCERPT_LENGTH = 600;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const page = Math.max(Math.trunc(Number(url.searchParams.get('page')) || 1), 1);
  const offset = (page - 1) * PAGE_SIZE;
  const query = { community: params.slug, limit: String(PAGE_SIZE), offset: String(offset) };
  const [community, { things, total }, { appeals }, settings] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    api(listReports, { query }),
    api(listAppeals, { query: { community: params.slug, locale } }),
    api(readCommunitySettings, { params }),
  ]);
  const { slug, title } = community;
  return {
    slug,
    title,
    things: things.map(toShown),
    total,
    page,
    hasNext: offset + PAGE_SIZE < total,
    appeals,
    rules: namesOfRules(settings.rules),
  };
}

/** No more of what was written than a moderator needs at first sight. */
function toShown({ bodyHtml, mentionedUsers, ...thing }: Thing) {
  const { html, isCut } = excerptOf(bodyHtml ?? '', EXCERPT_LENGTH);
  return { ...thing, html, isCut, people: namesOf(mentionedUsers) };
}
type Shown = ReturnType<typeof toShown>;

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const intent = textOf(fields, 'intent');
  const isKept = intent === 'keep';
  const thing = {
    community: params.slug,
    kind: textOf(fields, 'kind') === 'reaction' ? ('reaction' as const) : ('activity' as const),
    id: textOf(fields, 'target'),
    note: optionalOf(fields, 'note'),
  };
  const back = `/communities/${params.slug}/reports${url.search}`;
  if (intent === 'take' || intent === 'give-back') {
    const { community, kind, id } = thing;
    const claimed = await attempt(claimCase, { body: { community, kind, id, take: intent === 'take' } });
    if (claimed.ok)
      return redirectWith(`${back}#${id}`, { key: `moderation.case_${intent === 'take' ? 'taken' : 'given_back'}` });
    return redirectWith(back, { key: 'errors.moderation.taken', tone: 'info' });
  }
  const body = isKept
    ? { ...thing, decision: 'dismiss' as const }
    : { ...thing, decision: 'remove' as const, reason: reasonOf(fields), rule: ruleOf(fields) };
  const done = await attempt(decideReports, { body });
  if (done.ok) return redirectWith(back, { key: isKept ? 'thread.reports_kept' : 'thread.reports_removed' });
  if (done.failure.status === 404) return redirectWith(back, { key: 'thread.reports_decided', tone: 'info' });
  if (done.failure.code === 'moderation.taken')
    return redirectWith(back, { key: 'errors.moderation.taken', tone: 'info' });
  return done.refusal;
}

export default function Reports({ loaderData }: Route.ComponentProps) {
  const { slug, title, things, total, page, hasNext, appeals, rules } = loaderData;
  const { t } = useText();
  const address = (number: number) => `/communities/${slug}/reports${number > 1 ? `?page=${number}` : ''}`;
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('thread.reports_title', { title })} isPrivate />
      <div className="mx-auto max-w-[46rem]">
        <CommunityCrumb slug={slug} title={title} />
        <h1 className="mt-4 text-4xl">{t('thread.reports')}</h1>
        <p className="mt-2 text-muted">{t('thread.reports_text')}</p>
        <p className="mt-2 flex flex-wrap gap-x-6">
          <Link to={`/communities/${slug}/log`} className="link inline-block py-1.5">
            {t('moderation.log')}
          </Link>
          <Link to={`/communities/${slug}/rules`} className="link inline-block py-1.5">
            {t('moderation.rules')}
          </Link>
        </p>
        <Appeals appeals={appeals} />
        {things.length ? (
          <>
            <p className="mt-5 text-sm text-muted">{t('thread.reports_count', { count: total })}</p>
            <RulesProvider value={rules}>
              <ol className="mt-2 grid grid-cols-1 gap-6">
                {things.map((thing) => (
                  <li key={thing.id}>
                    <Reported thing={thing} slug={slug} />
                  </li>
                ))}
              </ol>
            </RulesProvider>
          </>
        ) : (
          <div className="mt-6">
            <EmptyState title={t('thread.reports_none_title')}>{t('thread.reports_none_text')}</EmptyState>
          </div>
        )}
        <Pagination
          page={page}
          previous={page > 1 ? address(page - 1) : undefined}
          next={hasNext ? address(page + 1) : undefined}
        />
      </div>
    </div>
  );
}

function Appeals({ appeals }: { appeals: ReplyOf<typeof listAppeals>['appeals'] }) {
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

/** Who looks at a case; while it is somebody else, it is theirs to decide. */
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

function Reported({ thing, slug }: { thing: Shown; slug: string }) {
  const { t } = useText();
  const { id, kind, activityId, actor, locale, reports } = thing;
  const isReply = kind === 'reaction';
  const name = thing.title ?? t(isReply ? 'thread.reply_by' : 'community.post_by', { name: actor.name });
  const place = `/communities/${slug}/activities/${activityId}`;
  const titleId = `title-${id}`;
  const reasonText = useReasonText();
  const going = useGoing(id);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (going === 'gone') void revalidate();
  }, [going, revalidate]);
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
        <Link to={isReply ? place + queryOfReply(id) : place} className="link inline-block py-1.5">
          {t('thread.reports_see')}
          <span className="sr-only">: {name}</span>
        </Link>
      </p>
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
      {going === 'failed' ? (
        <p role="alert" className="mt-4 font-semibold text-danger">
          {t('thread.not_deleted')}
        </p>
      ) : null}
      {going && going !== 'failed' ? (
        <GoingNotice id={id} state={going}>
          {t(going === 'gone' ? 'thread.reports_removed' : isReply ? 'thread.going_reply' : 'thread.going_post')}
        </GoingNotice>
      ) : (
        <>
          <Claim thing={thing} name={name} />
          {thing.claim && !thing.claim.isOwn ? null : <ReportDecision thing={thing} slug={slug} name={name} />}
        </>
      )}
    </article>
  );
}
