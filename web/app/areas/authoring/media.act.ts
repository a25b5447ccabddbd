import { removePieceFile, uploadPieceFile, uploadPiecePicture, type Piece } from '@officium/contract/authoring';
import { isLocale } from '@officium/i18n/locales';
import { type act, type Failure, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { keepable } from '../../form/state.ts';
import type { Doc } from './kinds.ts';
import { mediaMarkdown, titleOfFile, type MediaKind } from './media-markdown.ts';
import { isPictureFile } from './media-upload.ts';

type Acting = Awaited<ReturnType<typeof act>>;
type Params = Pick<Piece, 'kind' | 'key'>;
type Sent = { path: string; kind: MediaKind; version: number; name: string };
type Done<T> = (T & { refusal?: undefined }) | { refusal: ReturnType<typeof refuse> };

const REMOVE = 'remove-file:';
export const isRemoval = (intent: string) => intent.startsWith(REMOVE);

/** Uploads the files of the form and adds them at the end of the text, for browsers without script. */
export async function addMedia(
  acting: Acting,
  params: Params,
  { doc, version }: { doc: Doc; version: number },
): Promise<Done<{ doc: Doc; version: number }>> {
  const { fields } = acting;
  const locale = textOf(fields, 'media_text');
  const file =
    'body' in doc && isLocale(locale) ? await send(acting, params, { name: 'media_file', version }) : undefined;
  if (!file || !('body' in doc) || !isLocale(locale))
    return { refusal: refusalOf(fields, version, 'content.file_missing') };
  if (file.refusal) return file;
  const words = await send(acting, params, { name: 'media_words', version: file.version });
  if (words?.refusal) return words;
  const spoken = textOf(fields, 'media_spoken');
  const { kind, path, name } = file;
  const block = mediaMarkdown({
    kind,
    path,
    title: textOf(fields, 'media_title').trim() || titleOfFile(name),
    words: words && isLocale(spoken) ? { path: words.path, locale: spoken } : undefined,
  });
  const text = (doc.body[locale] ?? '').trimEnd();
  const body = { ...doc.body, [locale]: text === '' ? `${block}\n` : `${text}\n\n${block}\n` };
  return { doc: { ...doc, body }, version: (words ?? file).version };
}

/** Removes a file that no text of the saved draft contains. */
export async function removeMedia({ attempt, fields }: Acting, params: Params, version: number): Promise<Done<object>> {
  const path = textOf(fields, 'intent').slice(REMOVE.length);
  const removed = await attempt(removePieceFile, { params, body: { version, path } });
  return removed.ok ? {} : { refusal: refusalOf(fields, version, removed.failure) };
}

async function send(
  { attempt, fields }: Acting,
  params: Params,
  { name, version }: { name: string; version: number },
): Promise<Done<Sent> | undefined> {
  const file = fields.get(name);
  if (!(file instanceof File) || file.size === 0) return undefined;
  const sent = isPictureFile(file)
    ? await attempt(uploadPiecePicture, { params, file })
    : await attempt(uploadPieceFile, { params, file });
  if (!sent.ok) return { refusal: refusalOf(fields, version, sent.failure) };
  const { path, version: next } = sent.body;
  return { path, kind: 'kind' in sent.body ? sent.body.kind : 'picture', version: next, name: file.name };
}

/** The form goes on from the version that was stored before the refusal. */
function refusalOf(fields: FormData, version: number, why: string | Failure) {
  const failure = typeof why === 'string' ? { message: why, code: why, status: 400 } : why;
  const { message, code, status } = failure;
  const values = { ...keepable(fields), version: String(version) };
  return refuse({ message, issues: [], values, status, ...(code ? { code } : {}) }, status);
}
