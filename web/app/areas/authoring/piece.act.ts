import { readPiece, savePiece, uploadPiecePicture, type Piece } from '@officium/contract/authoring';
import { isLocale } from '@officium/i18n/locales';
import { data } from 'react-router';
import { act, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { keepable, type FormState } from '../../form/state.ts';
import { addressOf, type Doc, type Kind } from './kinds.ts';
import { addMedia, isRemoval, removeMedia } from './media.act.ts';
import { differences, type Change } from './differences.ts';
import { saveLessons } from './outline-lessons.act.ts';
import { rearrange } from './outline-order.ts';
import { docOfForm, toFieldIssues, translationOfForm } from './piece-form.ts';
import { can } from './rights.ts';

/** An edit conflict: the current version, and how the submitted text differs from it. */
export type Conflict = { conflict: { version: number; by: string | null; changes: Change[] } };

type Acting = Awaited<ReturnType<typeof act>>;
type Params = { kind: Kind; key: string };

const MAX_BYTES = 5 * 1024 * 1024;

/** Saves the draft and runs the action of the pressed button. */
export async function pieceAction(acting: Acting, params: Params) {
  const { api, attempt, fields, url } = acting;
  const intent = textOf(fields, 'intent') || 'save';
  const piece = await api(readPiece, { params });
  const mayEdit = can(piece, 'edit-content');
  let doc = mayEdit ? docOfForm(fields, piece) : translationOfForm(fields, piece);
  let version = Number(textOf(fields, 'version'));
  if (version !== piece.version) return conflict(acting, piece, doc);
  if (mayEdit && doc.kind === 'journey') {
    const sections = rearrange(doc.sections, intent, piece.sourceLocale, textOf(fields, 'new_heading') || '…');
    if (sections) doc = { ...doc, sections };
    const refusal = await saveLessons(acting);
    if (refusal) return refusal;
  }
  if (mayEdit && (intent === 'picture' || intent === 'cover')) {
    const file = fields.get(`${intent}_file`);
    if (!(file instanceof File) || file.size === 0) return refused(fields, `${intent}_file`, 'Picture is required');
    if (file.size > MAX_BYTES) return refused(fields, `${intent}_file`, 'Picture must have at most 5 MB');
    const needsAlt = intent === 'picture' && !fields.has('decorative') && textOf(fields, 'picture_alt').trim() === '';
    if (needsAlt) return refused(fields, 'picture_alt', 'Alternative text is required');
    const uploaded = await attempt(uploadPiecePicture, { params, file });
    if (!uploaded.ok) {
      const isBad = uploaded.failure.code === 'assets.bad_image';
      return isBad ? refused(fields, `${intent}_file`, 'Picture cannot be opened') : uploaded.refusal;
    }
    version = uploaded.body.version;
    doc = withPicture(doc, intent, uploaded.body.path, fields);
  }
  if (intent === 'media') {
    const added = await addMedia(acting, params, { doc, version });
    if (added.refusal) return added.refusal;
    ({ doc, version } = added);
  }
  const source = textOf(fields, 'source');
  const saved = await attempt(savePiece, {
    params,
    body: { version, doc, ...(isLocale(source) ? { sourceLocale: source } : {}) },
  });
  if (!saved.ok) {
    const { message, code, issues, status } = saved.failure;
    if (code === 'content.changed_meanwhile') return conflict(acting, await api(readPiece, { params }), doc);
    const state = { message, issues: toFieldIssues(issues, piece.sourceLocale), values: keepable(fields), status };
    return refuse({ ...state, ...(code ? { code } : {}) }, status);
  }
  if (isRemoval(intent)) {
    const { refusal } = await removeMedia(acting, params, saved.body.version);
    if (refusal) return refusal;
  }
  return answer(intent, params, url);
}

/** Buttons that lead back to the form. */
const SAVING: ReadonlySet<string> = new Set(['save', 'picture', 'cover', 'media', 'remove-file']);

function answer(intent: string, { kind, key }: Params, url: URL): Response {
  const [verb, what] = intent.split(':', 2);
  const here = addressOf(kind, key, url.search);
  const saved = (to: string) => redirectWith(to, { key: 'common.saved' });
  if (verb === 'preview') return saved(addressOf(kind, key, '/preview'));
  if (verb === 'publish') return saved(addressOf(kind, key, '/publish'));
  if (verb === 'beside') return saved(addressOf(kind, key, what ? `?beside=${what}` : ''));
  if (verb === 'lesson-new')
    return saved(`/admin/content/new?kind=lesson&parent=${encodeURIComponent(key)}&section=${what ?? 0}`);
  // The browser takes a form without a message of success for refused, and fills it with the version before.
  return saved(SAVING.has(verb ?? '') ? here : `${here}#outline`);
}

/** Adds a picture at the end of the text, from where the author can move it. */
function withPicture(doc: Doc, intent: 'picture' | 'cover', path: string, fields: FormData): Doc {
  if (intent === 'cover') return 'cover' in doc ? { ...doc, cover: path } : doc;
  const locale = textOf(fields, 'picture_locale');
  if (!('body' in doc) || !isLocale(locale)) return doc;
  const alt = textOf(fields, 'picture_alt')
    .trim()
    .replace(/[[\]\\]/g, '\\$&')
    .replace(/\s+/g, ' ');
  const picture = fields.has('decorative') ? `<img src="/${path}" alt="">` : `![${alt}](/${path})`;
  const text = (doc.body[locale] ?? '').trimEnd();
  return { ...doc, body: { ...doc.body, [locale]: text === '' ? `${picture}\n` : `${text}\n\n${picture}\n` } };
}

/** The wording that form/issue-text.ts translates. */
function refused(fields: FormData, path: string, message: string) {
  return refuse({ message, issues: [{ path, message }], values: keepable(fields) });
}

function conflict({ fields }: Acting, piece: Piece, doc: Doc) {
  const state: FormState & Conflict = {
    message: '',
    code: 'content.changed_meanwhile',
    issues: [],
    values: { ...keepable(fields), version: String(piece.version) },
    status: 409,
    conflict: { version: piece.version, by: piece.changed?.by ?? null, changes: differences(doc, piece.doc) },
  };
  return data(state, { status: 409 });
}
