import { listCommunityOwners, readPiece } from '@officium/contract/authoring';
import { endonymOf, isLocale, LOCALES, type Locale } from '@officium/i18n/locales';
import { data, useActionData } from 'react-router';
import { act } from '../../server/api.ts';
import { GuardedDraft } from '../../editor/guarded-draft.tsx';
import { textOf } from '../../form/fields.ts';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useLanguages } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/piece.page';
import { Changes } from './changes.tsx';
import { CourseList } from './course-list.tsx';
import { isKind } from './kinds.ts';
import { JourneyList } from './journey-list.tsx';
import { OwnerList } from './owner-list.tsx';
import { OutlineFields } from './outline-fields.tsx';
import { isOfParts, partsAction } from './parts.act.ts';
import { pieceAction, type Conflict } from './piece.act.ts';
import { PieceFields } from './piece-fields.tsx';
import { PiecePage } from './piece-head.tsx';
import { can } from './rights.ts';
import { TextFields } from './text-fields.tsx';
import { TranslationFields } from './translation-fields.tsx';
import { languageState } from './title.ts';
import { Writers } from './writers.tsx';

function paramsOf({ kind, key }: { kind: string; key: string }) {
  if (!isKind(kind)) throw data(null, { status: 404 });
  return { kind, key };
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context, 'read-content');
  const piece = await api(readPiece, { params: paramsOf(params) });
  const asked = url.searchParams.get('beside');
  const written = LOCALES.find((locale) => locale !== piece.sourceLocale && piece.doc.title[locale] !== undefined);
  const found = isLocale(asked) && asked !== piece.sourceLocale ? asked : asked === 'none' ? undefined : written;
  // A translator always translates into some language.
  const beside = found ?? (can(piece, 'edit-content') ? undefined : targetOf(locale, piece.sourceLocale));
  const owners =
    piece.kind === 'community' ? (await api(listCommunityOwners, { params: { key: piece.key } })).owners : [];
  return { piece, beside, owners };
}

/** The language of the page, or another one than the source language. */
function targetOf(locale: Locale, source: Locale): Locale | undefined {
  return [locale, ...LOCALES].find((each) => each !== source);
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const acting = await act(request, context);
  return isOfParts(textOf(acting.fields, 'intent'))
    ? await partsAction(acting, paramsOf(params))
    : await pieceAction(acting, paramsOf(params));
}

export default function EditPiece({ loaderData: { piece, beside, owners } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const conflict = useConflict();
  const version = useFormState()?.values?.['version'] ?? String(piece.version);
  const mayEdit = can(piece, 'edit-content');
  const locales = [piece.sourceLocale, ...(beside ? [beside] : [])];
  return (
    <PiecePage piece={piece} name={t('admin.content_edit')}>
      <Notes piece={piece} />
      <Writers kind={piece.kind} pieceKey={piece.key} version={piece.version} />
      {conflict ? <ConflictPart conflict={conflict} /> : null}
      <SmartForm
        key={`${piece.key} ${beside ?? ''} ${piece.version}`}
        encType="multipart/form-data"
        refusalsOf={/^(?!journey-|owner-)/}
        className="grid gap-8"
      >
        <GuardedDraft form={beside ?? ''} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="locales" value={locales.join(' ')} />
        <SaveButtons mayPublish={can(piece, 'publish-content')} />
        <Languages piece={piece} beside={beside} />
        <TextFields piece={piece} locales={locales} />
        {mayEdit ? (
          <>
            {piece.kind === 'journey' ? <OutlineFields key={piece.version} piece={piece} locales={locales} /> : null}
            <PieceFields piece={piece} locales={locales} />
          </>
        ) : (
          <TranslationFields piece={piece} locales={locales} />
        )}
        <div className="border-t border-line pt-5">
          <Button name="intent" value="save" isBusy={isSubmitting}>
            {t('admin.content_save')}
          </Button>
        </div>
      </SmartForm>
      {piece.kind === 'academy' ? <CourseList piece={piece} /> : null}
      {piece.kind === 'course' ? <JourneyList piece={piece} /> : null}
      {piece.kind === 'community' ? <OwnerList piece={piece} owners={owners} /> : null}
    </PiecePage>
  );
}

function useConflict(): Conflict['conflict'] | undefined {
  const answer: unknown = useActionData();
  const isConflict = typeof answer === 'object' && answer !== null && 'conflict' in answer;
  return isConflict ? (answer as Conflict).conflict : undefined; // piece.act.ts alone returns this shape
}

type Shown = Route.ComponentProps['loaderData']['piece'];

function ConflictPart({ conflict: { by, changes } }: Conflict) {
  const { t } = useText();
  return (
    <section className="mb-8" aria-labelledby="conflict">
      <h3 id="conflict" className="text-xl">
        {t('admin.content_conflict')}
      </h3>
      <p className="mt-1 mb-4 max-w-prose">
        {t('admin.content_conflict_text', { name: by ?? t('common.unknown_person') })}
      </p>
      <Changes changes={changes} />
    </section>
  );
}

function SaveButtons({ mayPublish }: { mayPublish: boolean }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button name="intent" value="save" isBusy={isSubmitting}>
        {t('admin.content_save')}
      </Button>
      <Button name="intent" value="preview" look="secondary" isBusy={isSubmitting}>
        {t('admin.content_save_preview')}
      </Button>
      {mayPublish ? (
        <Button name="intent" value="publish" look="secondary" isBusy={isSubmitting}>
          {t('admin.content_save_publish')}
        </Button>
      ) : null}
    </div>
  );
}

/** Notes to read before editing: what a translator may do; what an import has done, or would do. */
function Notes({ piece }: { piece: Shown }) {
  const { t } = useText();
  if (!can(piece, 'edit-content'))
    return (
      <div className="mb-6">
        <Notice>{t('admin.content_translating')}</Notice>
      </div>
    );
  if (piece.isReplaced)
    return (
      <div className="mb-6">
        <Notice tone="danger" title={t('admin.content_replaced')}>
          {t('admin.content_replaced_text')}
        </Notice>
      </div>
    );
  if (piece.origin === 'authoring') return null;
  return (
    <div className="mb-6">
      <Notice>{t('admin.content_imported_text')}</Notice>
    </div>
  );
}

/** The languages of a piece with their states. Switching to another keeps unsaved text. */
function Languages({ piece, beside }: { piece: Shown; beside: Locale | undefined }) {
  const { t } = useText();
  const offered = useLanguages();
  return (
    <fieldset>
      <legend className="font-semibold">{t('admin.content_beside')}</legend>
      <p className="mb-2 text-sm text-muted">
        {t('admin.content_beside_hint', { language: endonymOf(piece.sourceLocale) })}
      </p>
      <ul className="flex flex-wrap gap-2">
        {LOCALES.filter((locale) => locale !== piece.sourceLocale).map((locale) => {
          const state = languageState(piece, locale);
          // A translation is missing only in a language that readers are offered.
          if (state === 'missing' && !piece.doc.title[locale] && !offered.includes(locale)) return null;
          return (
            <li key={locale}>
              <button
                name="intent"
                value={`beside:${locale}`}
                aria-pressed={locale === beside}
                className="inline-flex min-h-11 items-center gap-2 rounded border border-line bg-card px-3 hover:border-accent hover:text-accent aria-pressed:border-accent aria-pressed:font-semibold"
              >
                <span lang={locale}>{endonymOf(locale)}</span>
                {state === 'whole' || state === 'source' ? null : (
                  <span className="text-sm text-muted">{t(`admin.content_text_${state}`)}</span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
