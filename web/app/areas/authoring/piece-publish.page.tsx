import {
  comparePiece,
  deletePiece,
  discardDraft,
  publishPiece,
  readPiece,
  withdrawPiece,
} from '@officium/contract/authoring';
import { endonymOf } from '@officium/i18n/locales';
import { data } from 'react-router';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import type { Route } from './+types/piece-publish.page';
import { chooseAudience, readAudience, type Scopes } from './audience.act.ts';
import { AudienceField } from './audience-field.tsx';
import { Changes } from './changes.tsx';
import { addressOf, isKind } from './kinds.ts';
import { PiecePage } from './piece-head.tsx';
import { can } from './rights.ts';

function paramsOf({ kind, key }: { kind: string; key: string }) {
  if (!isKind(kind)) throw data(null, { status: 404 });
  return { kind, key };
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt } = await loadAdmin(request, context, 'read-content');
  const at = { params: paramsOf(params) };
  const piece = await api(readPiece, at);
  const [compared, scopes] = await Promise.all([
    piece.state === 'changed' ? api(comparePiece, { ...at, query: { from: 'live' } }) : undefined,
    piece.capabilities ? null : readAudience(attempt, piece),
  ]);
  return { piece, changes: compared?.changes ?? [], scopes };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const acting = await act(request, context);
  const { api, attempt, fields } = acting;
  const at = paramsOf(params);
  const version = Number(textOf(fields, 'version'));
  const intent = textOf(fields, 'intent');
  const here = addressOf(at.kind, at.key, '/publish');
  if (intent === 'withdraw') {
    const done = await attempt(withdrawPiece, { params: at, body: { version } });
    return done.ok ? redirectWith(here, { key: 'admin.content_withdrawn', tone: 'info' }) : done.refusal;
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
    const refusal = await chooseAudience(acting, await api(readPiece, { params: at }));
    if (refusal) return refusal;
  }
  const body = { version, withParts: fields.has('parts'), holdBack: fields.has('hold') };
  const done = await attempt(publishPiece, { params: at, body });
  if (!done.ok) return done.refusal;
  return redirectWith(here, { key: 'admin.content_published', values: { count: done.body.published } });
}

export default function PublishPiece({ loaderData: { piece, changes, scopes } }: Route.ComponentProps) {
  const { t } = useText();
  const canPublish = piece.state !== 'published';
  return (
    <PiecePage piece={piece} name={t('admin.content_publication')}>
      <div className="grid gap-10">
        {!can(piece, 'publish-content') ? (
          <Notice>{t('admin.content_not_publisher')}</Notice>
        ) : canPublish ? (
          <Publish piece={piece} scopes={scopes} />
        ) : (
          <Notice tone="success">{t('admin.content_nothing_new')}</Notice>
        )}
        <Findings findings={piece.findings} />
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

function Publish({ piece, scopes }: { piece: Shown; scopes: Scopes | null }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('publish');
  const mustMend = piece.findings.some((finding) => finding.severity === 'must');
  const hasNew = piece.kind === 'course' && piece.parts.some((part) => part.state === 'draft');
  return (
    <SmartForm intent="publish">
      <input type="hidden" name="version" value={piece.version} />
      <p className="max-w-prose">{t(`admin.content_publish_${piece.kind}`)}</p>
      <div className="mt-2">
        {hasNew ? <Checkbox name="parts" label={t('admin.content_with_parts')} defaultChecked /> : null}
        {mustMend ? (
          <Checkbox name="hold" label={t('admin.content_hold_back')} hint={t('admin.content_hold_back_hint')} />
        ) : null}
      </div>
      {scopes ? (
        <div className="mt-4">
          <AudienceField scopes={scopes} />
        </div>
      ) : null}
      <Button className="mt-4" isBusy={isSubmitting}>
        {t('admin.content_publish')}
      </Button>
    </SmartForm>
  );
}

function Findings({ findings }: { findings: Shown['findings'] }) {
  const { t } = useText();
  if (findings.length === 0) return null;
  return (
    <section aria-labelledby="findings">
      <h3 id="findings" className="text-2xl">
        {t('admin.content_findings')}
      </h3>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {findings.map((finding, index) => (
          <li key={index} className="py-3">
            <p className="font-semibold">
              {t(`admin.content_finding_${finding.severity}`)} {t(`admin.publish_rule_${finding.rule}`)}
            </p>
            <p className="text-sm text-muted">
              {t('admin.content_finding_at', { language: endonymOf(finding.locale), line: finding.line })}
            </p>
            <p className="mt-1 wrap-anywhere" lang={finding.locale} dir="auto">
              {finding.text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Destructive actions, each with its consequences. */
function Undo({ piece }: { piece: Shown }) {
  const { t } = useText();
  if (!can(piece, 'edit-content')) return null;
  if (piece.state === 'draft') return <Delete piece={piece} />;
  const isLive = piece.state !== 'withdrawn' && can(piece, 'publish-content');
  if (!isLive && !piece.hasDraft) return null;
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
