import type { Piece } from '@officium/contract/authoring';
import { isLocale } from '@officium/i18n/locales';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { ASK_UPLOAD, insertMarkdown } from '../../editor/field-events.ts';
import { asParagraph, mediaMarkdown, titleOfFile } from './media-markdown.ts';
import { isPictureFile, uploadMedia, UploadRefused, type Uploaded } from './media-upload.ts';
import { isSentInParts, uploadInParts } from './resumable-upload.ts';

export type UploadState =
  | { step: 'idle' }
  | { step: 'sending'; name: string; sent: number; total: number; isWaiting?: boolean }
  | { step: 'added'; name: string }
  | { step: 'refused'; code: string };

type StoredFile = Piece['files'][number];

/** Uploads from the panel of media fields, and by dropping or pasting a file into a text. */
export function useMediaUpload(piece: Piece, panel: RefObject<HTMLDetailsElement | null>) {
  const isReady = useFilesInTexts(panel);
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [added, setAdded] = useState<StoredFile[]>([]);
  const aborting = useRef<AbortController>(undefined);
  useEffect(() => () => aborting.current?.abort('leaving'), []);

  const upload = async () => {
    const fields = fieldsOf(panel.current);
    const [file] = fields?.file.files ?? [];
    if (!fields || !file) return setState({ step: 'refused', code: 'content.file_missing' });
    if (file.size > piece.maxFileBytes) return setState({ step: 'refused', code: 'content.file_too_large' });
    const { signal } = (aborting.current = new AbortController());
    const send = async (one: File): Promise<Uploaded> => {
      const onProgress = (sent: number, total: number) => setState({ step: 'sending', name: one.name, sent, total });
      onProgress(0, one.size);
      const onWaiting = (isWaiting: boolean) =>
        setState((now) => (now.step === 'sending' ? { ...now, isWaiting } : now));
      const upload = isSentInParts(one) && !isPictureFile(one) ? uploadInParts : uploadMedia;
      const uploaded = await upload(piece, one, { onProgress, onWaiting, signal });
      follow(panel.current, uploaded.version);
      if (uploaded.kind !== 'picture') setAdded((before) => [...before, toFile(uploaded, one)]);
      return uploaded;
    };
    try {
      const main = await send(file);
      const [words] = fields.words.files ?? [];
      const spoken = fields.spoken.value;
      const stored = words && main.kind !== 'picture' ? await send(words) : undefined;
      const title = fields.title.value.trim() || titleOfFile(file.name);
      const use = stored && isLocale(spoken) ? { path: stored.path, locale: spoken } : undefined;
      write(panel.current, mediaMarkdown({ ...main, title, words: use }));
      for (const input of [fields.file, fields.words, fields.title]) input.value = '';
      setState({ step: 'added', name: file.name });
    } catch (error) {
      if (error instanceof UploadRefused) setState({ step: 'refused', code: error.code ?? '' });
      else setState({ step: 'idle' }); // cancelled
    }
  };
  const insert = ({ kind, path }: StoredFile) =>
    write(panel.current, mediaMarkdown({ kind, path, title: titleOfFile(path.slice(path.lastIndexOf('/') + 1)) }));
  const known = new Set(piece.files.map(({ path }) => path));
  const files = [...piece.files, ...added.filter(({ path }) => !known.has(path))];
  return { isReady, state, upload, insert, files, cancel: () => aborting.current?.abort() };
}

/**
 * Takes files that are dropped or pasted into a text, and opens the choice of files for an editor. Answers whether the
 * page has come to life.
 */
function useFilesInTexts(panel: RefObject<HTMLDetailsElement | null>): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    setReady(true);
    const form = panel.current?.closest('form');
    const take = (event: Event, data: DataTransfer | null) => {
      const area = bodyOf(event.target);
      const [file] = data?.files ?? [];
      // Text that a program copies together with its picture is meant as text.
      if (!file || !area || data?.types.includes('text/plain')) return;
      event.preventDefault();
      choose(panel.current, area, file);
    };
    const stop = new AbortController();
    const { signal } = stop;
    form?.addEventListener('paste', (event) => take(event, event.clipboardData), { signal });
    form?.addEventListener('drop', (event) => take(event, event.dataTransfer), { signal });
    form?.addEventListener(
      'dragover',
      (event) => {
        if (bodyOf(event.target) && event.dataTransfer?.types.includes('Files')) event.preventDefault();
      },
      { signal },
    );
    form?.addEventListener(ASK_UPLOAD, ({ target }) => ask(panel.current, target), { signal });
    return () => stop.abort();
  }, [panel]);
  return isReady;
}

const toFile = ({ path, url, kind }: Uploaded, { size }: File): StoredFile => ({
  path,
  url,
  bytes: size,
  kind: kind === 'picture' ? 'file' : kind,
});

/** The text field that an event is about; that of an editor is hidden beside it. */
function bodyOf(target: EventTarget | null): HTMLTextAreaElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const name = target.closest<HTMLElement>('[data-field]')?.dataset['field'] ?? target.getAttribute('name');
  const area = name?.startsWith('body_') && target.closest('form')?.elements.namedItem(name);
  return area instanceof HTMLTextAreaElement && !area.readOnly ? area : undefined;
}

/** Opens the browser's choice of files for a text. */
function ask(panel: HTMLDetailsElement | null, target: EventTarget | null): void {
  const [area, fields] = [bodyOf(target), fieldsOf(panel)];
  if (!panel || !area || !fields) return;
  fields.text.value = area.name.slice('body_'.length);
  panel.open = true;
  panel.scrollIntoView({ block: 'nearest' });
  fields.file.focus();
  fields.file.click();
}

function fieldsOf(panel: HTMLDetailsElement | null) {
  const input = (id: string) => panel?.querySelector<HTMLInputElement>(`#${id}`);
  const [file, words, title] = [input('media_file'), input('media_words'), input('media_title')];
  const select = (name: string) => panel?.querySelector<HTMLSelectElement>(`select[name=${name}]`);
  const [spoken, text] = [select('media_spoken'), select('media_text')];
  return file && words && title && spoken && text ? { file, words, title, spoken, text } : undefined;
}

/** Puts a dropped or pasted file into the form; the author gives it a title before it is sent. */
function choose(panel: HTMLDetailsElement | null, area: HTMLTextAreaElement, file: File): void {
  const fields = fieldsOf(panel);
  if (!panel || !fields) return;
  const files = new DataTransfer();
  files.items.add(file);
  const isWords = /\.vtt$/i.test(file.name) && fields.file.files?.length;
  (isWords ? fields.words : fields.file).files = files.files;
  fields.text.value = area.name.slice('body_'.length);
  panel.open = true;
  fields.title.focus();
}

/**
 * The form goes on from the version that the upload made of the draft. If somebody else saved in between, it keeps its
 * own version, so that saving shows the conflict.
 */
function follow(panel: HTMLDetailsElement | null, version: number): void {
  const field = panel?.closest('form')?.querySelector<HTMLInputElement>('input[name=version]');
  if (field && Number(field.value) === version - 1) field.value = String(version);
}

/** Writes a block where the cursor is in the chosen text. */
function write(panel: HTMLDetailsElement | null, block: string): void {
  const name = `body_${fieldsOf(panel)?.text.value ?? ''}`;
  const area = panel?.closest('form')?.querySelector<HTMLTextAreaElement>(`textarea[name="${name}"]`);
  if (!area || insertMarkdown(area, block)) return;
  const at = area.selectionEnd;
  const text = asParagraph(area.value, at, block);
  area.focus();
  area.setSelectionRange(at, at);
  // The only way to insert text that the browser's own undo reverts.
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, at, at, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
