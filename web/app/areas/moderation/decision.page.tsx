import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { appealDecision, decideAppeal, readDecision } from '@officium/contract/decisions';
import type { ReplyOf } from '@officium/contract/endpoint';
import { dirOf, isLocale } from '@officium/i18n/locales';
import { act, loadSignedIn } from '../../server/api.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Time } from '../../ui/time.tsx';
import { namesOf } from '../../ui/mentions.ts';
import { optionalOf, textOf } from '../../form/fields.ts';
import { useReasonText } from '../../ui/reason-text.ts';
import type { Route } from './+types/decision.page';

type Decision = ReplyOf<typeof readDecision>;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  return { decision: await api(readDecision, { params, query: { locale } }) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const here = `/moderation/${params.id}`;
  const outcome = fields.get('outcome');
  if (outcome === 'upheld' || outcome === 'reversed') {
    const decided = await attempt(decideAppeal, { params, body: { outcome, note: optionalOf(fields, 'note') } });
    return decided.ok ? redirectWith(here, { key: `moderation.decided_${outcome}` }) : decided.refusal;
  }
  const sent = await attempt(appealDecision, { params, body: { text: textOf(fields, 'text') } });
  return sent.ok ? redirectWith(here, { key: 'moderation.appeal_sent' }) : sent.refusal;
}

export default function DecisionPage({ loaderData: { decision } }: Route.ComponentProps) {
  const { t } = useText();
  const isAuthor = decision.author === null && decision.decidedBy === null;
  const title = t(isAuthor ? 'moderation.statement' : 'moderation.decision', { kind: decision.kind });
  return (
    <div className="page py-6 md:py-10">
      <Head title={title} isPrivate />
      <div className="mx-auto max-w-[44rem]">
        {isAuthor ? (
          <Link to="/me/moderation" className="link inline-block py-1.5 text-sm">
            {t('moderation.mine')}
          </Link>
        ) : null}
        <h1 className="mt-2 text-4xl">{title}</h1>
        <Facts decision={decision} />
        <Removed text={decision.text} />
        <Appeal decision={decision} isAuthor={isAuthor} />
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 border-t border-line py-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The decision, its reason and what led to it. */
function Facts({ decision }: { decision: Decision }) {
  const { t } = useText();
  const reasonText = useReasonText();
  const { kind, community, lesson, article, isRestored, reason, note, rule, byReport, decidedAt, author, decidedBy } =
    decision;
  return (
    <dl className="mt-6 border-b border-line">
      <Fact name={t('moderation.what')}>
        <p>{t('moderation.what_removed', { kind })}</p>
        <p className="text-sm text-muted">
          <Time value={decidedAt} look="exact" />
        </p>
      </Fact>
      {community ? (
        <Fact name={t('moderation.where')}>
          <Link to={`/communities/${community.slug}`} className="link" dir="auto">
            {community.title}
          </Link>
        </Fact>
      ) : null}
      {lesson ? (
        <Fact name={t('moderation.where')}>
          <Link to={`/courses/${lesson.course}/${lesson.journey}/${lesson.lesson}`} className="link" dir="auto">
            {lesson.title}
          </Link>
        </Fact>
      ) : null}
      {article ? (
        <Fact name={t('moderation.where')}>
          {isRestored ? (
            <Link to={`/articles/${encodeURIComponent(article.slug)}`} className="link" dir="auto">
              {article.title}
            </Link>
          ) : (
            <span dir="auto">{article.title}</span>
          )}
        </Fact>
      ) : null}
      {author ? <Fact name={t('moderation.author')}>{author.name}</Fact> : null}
      <Fact name={t('moderation.ground')}>
        <p>{reasonText(reason)}</p>
        {note ? (
          <p dir="auto" className="mt-1 whitespace-pre-line">
            {note}
          </p>
        ) : null}
      </Fact>
      {rule ? (
        <Fact name={t('moderation.rule_number', { number: rule.number })}>
          <RichText html={rule.html} isCompact />
        </Fact>
      ) : null}
      <Fact name={t('moderation.origin')}>{t(byReport ? 'moderation.by_report' : 'moderation.by_moderators')}</Fact>
      {decidedBy ? <Fact name={t('moderation.decided_by')}>{decidedBy}</Fact> : null}
    </dl>
  );
}

function Removed({ text }: Pick<Decision, 'text'>) {
  const { t } = useText();
  return (
    <section className="mt-8" aria-labelledby="removed">
      <h2 id="removed" className="text-2xl">
        {t('moderation.removed_text')}
      </h2>
      {text ? (
        <div dir={isLocale(text.locale) ? dirOf(text.locale) : undefined} className="mt-3 border-s-4 border-line ps-4">
          {text.title ? (
            <p lang={text.locale} dir="auto" className="font-serif text-xl font-semibold">
              {text.title}
            </p>
          ) : null}
          {text.bodyHtml ? (
            <RichText html={text.bodyHtml} people={namesOf(text.mentionedUsers)} lang={text.locale} isCompact />
          ) : null}
        </div>
      ) : (
        <p className="mt-2 text-muted">{t('moderation.text_gone')}</p>
      )}
    </section>
  );
}

function Appeal({ decision, isAuthor }: { decision: Decision; isAuthor: boolean }) {
  const { t } = useText();
  const { appeal, appealText, appealedAt, can } = decision;
  return (
    <section className="mt-10 border-t border-line pt-6" aria-labelledby="appeal">
      <h2 id="appeal" className="text-2xl">
        {t('moderation.appeal')}
      </h2>
      {appealText && appealedAt ? (
        <>
          <p className="mt-2 text-sm text-muted">
            <Time value={appealedAt} look="exact" />
          </p>
          <p dir="auto" className="mt-2 border-s-4 border-marigold ps-4 whitespace-pre-line wrap-anywhere">
            {appealText}
          </p>
        </>
      ) : null}
      {appeal === 'upheld' || appeal === 'reversed' ? <Outcome decision={decision} /> : null}
      {appeal === 'waiting' && !can.decide ? <p className="mt-4">{t('moderation.appeal_waiting')}</p> : null}
      {can.decide ? <Decide /> : null}
      {can.appeal ? <Ask until={decision.appealUntil} /> : null}
      {appeal === 'none' && !can.appeal ? (
        <p className="mt-2 text-muted">{t(isAuthor ? 'moderation.appeal_over' : 'moderation.appeal_none')}</p>
      ) : null}
    </section>
  );
}

function Outcome({ decision: { appeal, outcomeNote, outcomeAt, isRestored } }: { decision: Decision }) {
  const { t } = useText();
  const isUpheld = appeal === 'upheld';
  return (
    <div className="mt-4">
      <p className="font-semibold">
        {t(
          isUpheld
            ? 'moderation.outcome_upheld'
            : isRestored
              ? 'moderation.outcome_restored'
              : 'moderation.outcome_lost',
        )}{' '}
        {outcomeAt ? <Time value={outcomeAt} look="date" /> : null}
      </p>
      {outcomeNote ? (
        <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
          {outcomeNote}
        </p>
      ) : null}
    </div>
  );
}

function Ask({ until }: { until: string }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting('appeal');
  return (
    <>
      <p className="mt-2 max-w-prose">{rich('moderation.appeal_how', { date: <Time value={until} look="date" /> })}</p>
      <SmartForm intent="appeal" className="mt-4 grid gap-4">
        <TextArea name="text" label={t('moderation.appeal_text')} rows={5} maxLength={2000} dir="auto" required />
        <div>
          <Button isBusy={isSubmitting}>{t('moderation.appeal_send')}</Button>
        </div>
      </SmartForm>
    </>
  );
}

function Decide() {
  const { t } = useText();
  return (
    <SmartForm intent="decide" className="mt-5 grid gap-4">
      <TextArea name="note" label={t('moderation.outcome_note')} rows={3} maxLength={1000} dir="auto" />
      <div className="flex flex-wrap gap-3">
        <Button name="outcome" value="reversed">
          {t('moderation.reverse')}
        </Button>
        <Button name="outcome" value="upheld" look="secondary">
          {t('moderation.uphold')}
        </Button>
      </div>
    </SmartForm>
  );
}
