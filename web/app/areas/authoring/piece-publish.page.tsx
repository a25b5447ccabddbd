import { listCohorts } from '@officium/contract/admin';
import {
  comparePiece,
  deletePiece,
  discardDraft,
  publishPiece,
  readPiece,
  withdrawPiece,
} from '@officium/contract/authoring';
import { data } from 'react-router';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { redirect } from '../../server/redirect.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import type { Route } from './+types/piece-publish.page';
import { type Audience, chooseAudience, isUnreviewed, openNewCourse, readAudience, scopeOf } from './audience.act.ts';
import { AudienceField, SeenBy } from './audience-field.tsx';
import { Changes } from './changes.tsx';
import { addressOf, isKind } from './kinds.ts';
import { readClosedJourneys, readPartFindings } from './part-findings.load.ts';
import { type Closed, ClosedJourneys, Findings } from './publish-findings.tsx';
import { ViewAsLearner } from './view-as-learner.tsx';
import { PiecePage } from './piece-head.tsx';
import { can } from './rights.ts';

function paramsOf({ kind, key }: { kind: string; key: string }) {
  if (!isKind(kind)) throw data(null, { status: 404 });
  return { kind, key };
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, url } = await loadAdmin(request, context, 'read-content');
  const at = { params: paramsOf(params) };
  const piece = await api(readPiece, at);
  const [compared, audience, listed, partFindings, closed] = await Promise.all([
    piece.state === 'changed' ? api(comparePiece, { ...at, query: { from: 'live' } }) : undefined,
    piece.capabilities ? null : readAudience(attempt, piece, scopeOf(url.searchParams.get('audience'))),
    piece.capabilities ? null : attempt(listCohorts, { query: { sort: 'name' } }),
    piece.kind === 'course' || piece.kind === 'journey' ? readPartFindings(api, piece) : [],
    piece.kind === 'course' && !piece.capabilities ? readClosedJourneys(api, piece) : [],
  ]);
  const cohorts = listed?.ok ? listed.body.cohorts.map(({ id, name }) => ({ id, name })) : [];
  const ticked = { parts: url.searchParams.get('parts'), hold: url.searchParams.get('hold') };
  return { piece, changes: compared?.changes ?? [], audience, ticked, cohorts, partFindings, closed };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const acting = await act(request, context);
  const { api, attempt, fields } = acting;
  const at = paramsOf(params);
  let version = Number(textOf(fields, 'version'));
  const intent = textOf(fields, 'intent');
  const here = addressOf(at.kind, at.key, '/publish');
  if (intent === 'withdraw') {
    const done = await attempt(withdrawPiece, { params: at, body: { version } });
    return done.ok ? redirectWith(here, { key: 'admin.content_withdrawn', tone: 'info' }) : done.refusal;
  }
  if (intent === 'bar') {
    const done = await attempt(withdrawPiece, { params: at, body: { version } });
    return done.ok ? redirectWith(here, { key: 'admin.content_barred', tone: 'info' }) : done.refusal;
  }
  if (intent === 'delete') {
    const done = await attempt(deletePiece, { params: at, body: { version } });
    const above = textOf(fields, 'above');
    const to = above.startsWith('/admin/content') ? above : '/admin/content';
    return done.ok ? redirectWith(to, { key: 'admin.content_deleted', tone: 'info' }) : done.refusal;
  }
  if (intent === 'discard') {
    const done = await attempt(discardDraft, { params: at, body: { version } });
    return done.ok ? redirectWith(here, { key: 'admin.content_discarded', tone: 'info' }) : done.refusal;
  }
  if (fields.has('audience')) {
    const piece = await api(readPiece, { params: at });
    if (await isUnreviewed(acting, piece)) return redirect(here + reviewQuery(fields));
    const refusal = await chooseAudience(acting, piece);
    if (refusal) return refusal;
    const opened = await openNewCourse(acting, piece, version);
    if (!opened.ok) return opened.refusal;
    version = opened.version;
  }
  const body = { version, withParts: fields.has('parts'), holdBack: fields.has('hold') };
  const done = await attempt(publishPiece, { params: at, body });
  if (!done.ok) return done.refusal;
  return redirectWith(here, { key: 'admin.content_published', values: { count: done.body.published } });
}

/** The choices of the form, for the page that shows the effect of the chosen audience first. */
function reviewQuery(fields: FormData): string {
  const query = new URLSearchParams({ audience: textOf(fields, 'audience') });
  for (const name of ['parts', 'hold']) query.set(name, fields.has(name) ? 'on' : 'off');
  return `?${query}#meaning`;
}

export default function PublishPiece({
  loaderData: { piece, changes, audience, ticked, cohorts, partFindings, closed },
}: Route.ComponentProps) {
  const { t } = useText();
  const canPublish = piece.state !== 'published';
  return (
    <PiecePage piece={piece} name={t('admin.content_publication')}>
      <div className="grid gap-10">
        {audience ? (
          <SeenBy preview={audience.now} isLive={piece.state !== 'draft'} isJourney={piece.kind === 'journey'}>
            {piece.address && piece.state !== 'draft' ? (
              <ViewAsLearner address={piece.address} cohorts={cohorts} />
            ) : null}
          </SeenBy>
        ) : null}
        {!can(piece, 'publish-content') ? (
          <Notice>{t('admin.content_not_publisher')}</Notice>
        ) : piece.isBarred && piece.capabilities ? (
          <Notice>{t('errors.content.barred')}</Notice>
        ) : canPublish ? (
          <Publish
            piece={piece}
            audience={audience}
            ticked={ticked}
            closed={closed}
            mustMend={[...piece.findings, ...partFindings].some(({ severity }) => severity === 'must')}
          />
        ) : (
          <div className="grid gap-6">
            <Notice tone="success">{t('admin.content_nothing_new')}</Notice>
            {audience && piece.kind !== 'journey' ? <ChangeAudience audience={audience} /> : null}
          </div>
        )}
        <Findings piece={piece} findings={[...piece.findings, ...partFindings]} />
        {changes.length > 0 ? (
          <section aria-labelledby="changes">
            <h3 id="changes" className="mb-3 text-2xl">
              {t('admin.content_changes')}
            </h3>
            <Changes changes={changes} />
          </section>
        ) : null}
        <Undo piece={piece} />
      </div>
    </PiecePage>
  );
}

type Shown = Route.ComponentProps['loaderData']['piece'];
type Ticked = Record<'parts' | 'hold', string | null>;

type PublishProps = { piece: Shown; audience: Audience | null; ticked: Ticked; closed: Closed; mustMend: boolean };

function Publish({ piece, audience, ticked, closed, mustMend }: PublishProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('publish');
  const hasNew = piece.kind === 'course' && piece.parts.some((part) => part.state === 'draft');
  return (
    <SmartForm intent="publish">
      <input type="hidden" name="version" value={piece.version} />
      <p className="max-w-prose">{t(`admin.content_publish_${piece.kind}`)}</p>
      <div className="mt-2">
        {hasNew ? (
          <Checkbox name="parts" label={t('admin.content_with_parts')} defaultChecked={ticked.parts !== 'off'} />
        ) : null}
        {mustMend ? (
          <Checkbox
            name="hold"
            label={t('admin.content_hold_back')}
            hint={t('admin.content_hold_back_hint')}
            defaultChecked={ticked.hold === 'on'}
          />
        ) : null}
      </div>
      {audience && piece.kind !== 'journey' ? (
        <div className="mt-4">
          <AudienceField audience={audience} />
        </div>
      ) : null}
      <ClosedJourneys closed={closed} />
      <Button className="mt-4" isBusy={isSubmitting}>
        {t('admin.content_publish')}
      </Button>
    </SmartForm>
  );
}

/** Leads to the review of another audience for a piece that has nothing to publish. */
function ChangeAudience({ audience: { now } }: { audience: Audience }) {
  const { t } = useText();
  return (
    <LinkButton look="secondary" to={`/admin/products/${encodeURIComponent(now.id)}`} className="justify-self-start">
      {t('admin.content_audience_change')}
    </LinkButton>
  );
}

/** Kinds that others than administrators publish. */
const OF_OWNERS: ReadonlySet<string> = new Set(['academy', 'course', 'journey', 'lesson']);

/** Destructive actions, each with its consequences. */
function Undo({ piece }: { piece: Shown }) {
  const { t } = useText();
  if (!can(piece, 'edit-content')) return null;
  if (piece.state === 'draft') return <Delete piece={piece} />;
  const isLive = piece.state !== 'withdrawn' && can(piece, 'publish-content');
  const isOpen = piece.state === 'withdrawn' && !piece.isBarred && !piece.capabilities && OF_OWNERS.has(piece.kind);
  if (!isLive && !isOpen && !piece.hasDraft) return null;
  return (
    <div className="flex flex-wrap items-start gap-4 border-t border-line pt-5">
      {isLive ? (
        <details className="min-w-0 open:basis-full">
          <summary className="btn btn-danger">{t('admin.content_withdraw')}</summary>
          <SmartForm intent="withdraw" className="mt-3 max-w-prose">
            <input type="hidden" name="version" value={piece.version} />
            <p>{t('admin.content_withdraw_text')}</p>
            <Button look="danger" className="mt-3">
              {t('admin.content_withdraw_now')}
            </Button>
          </SmartForm>
        </details>
      ) : null}
      {isOpen ? (
        <ConfirmAction intent="bar" label={t('admin.content_bar')} fields={{ version: String(piece.version) }}>
          {t('admin.content_bar_text')}
        </ConfirmAction>
      ) : null}
      {piece.hasDraft ? (
        <details className="min-w-0 open:basis-full">
          <summary className="btn btn-secondary">{t('admin.content_discard')}</summary>
          <SmartForm intent="discard" className="mt-3 max-w-prose">
            <input type="hidden" name="version" value={piece.version} />
            <p>{t('admin.content_discard_text')}</p>
            <Button look="secondary" className="mt-3">
              {t('admin.content_discard_now')}
            </Button>
          </SmartForm>
        </details>
      ) : null}
    </div>
  );
}

/** Deletes a draft that was never published, after stating the consequences. */
function Delete({ piece }: { piece: Shown }) {
  const { t } = useText();
  const parent = piece.parents.at(-1);
  const fields = {
    version: String(piece.version),
    above: parent ? addressOf(parent.kind, parent.key) : '/admin/content',
  };
  return (
    <div className="border-t border-line pt-5">
      <ConfirmAction intent="delete" label={t('admin.content_delete')} fields={fields}>
        {t('admin.content_delete_text')}
      </ConfirmAction>
    </div>
  );
}
