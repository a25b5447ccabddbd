import type { Piece } from '@officium/contract/authoring';
import { endonymOf, LOCALES, type Locale } from '@officium/i18n/locales';
import { useRef } from 'react';
import { useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Progress } from '../../ui/progress.tsx';
import { AdditionSummary } from './addition-summary.tsx';
import { sizeText } from './size.ts';
import { useMediaUpload, type UploadState } from './use-media-upload.ts';

type Props = { piece: Piece; locales: readonly Locale[] };

const ACCEPTED =
  '.mp4,.webm,.mp3,.m4a,.ogg,.wav,.vtt,.pdf,.docx,.xlsx,.pptx,.odt,.ods,.odp,.csv,.txt,image/jpeg,image/png,image/webp,image/gif';
/** Forms without script are held in memory by the server (`largeForms`). */
const PLAIN_FORM_BYTES = 30_000_000;

/** Uploads recordings, captions and documents, and adds them to the text. */
export function MediaFields({ piece, locales }: Props) {
  const { t, number } = useText();
  const { isSubmitting } = useSubmitting('media');
  const panel = useRef<HTMLDetailsElement>(null);
  const { isReady, state, upload, cancel, insert, files } = useMediaUpload(piece, panel);
  // The browser must not send files along when the author saves the text.
  const nameOf = (name: string) => (isReady ? undefined : name);
  const size = sizeText(number, isReady ? piece.maxFileBytes : Math.min(piece.maxFileBytes, PLAIN_FORM_BYTES));
  const language = { options: locales.map(toOption), hideOptional: true, className: 'w-72 max-w-full' };
  return (
    <details ref={panel} className="group py-1" open={files.length > 0 || undefined}>
      <AdditionSummary>{t('admin.media_add')}</AdditionSummary>
      <div className="grid max-w-prose gap-4 py-3">
        {isReady ? <p className="text-sm text-muted">{t('admin.media_drop')}</p> : null}
        <FileInput
          id="media_file"
          name={nameOf('media_file')}
          label={t('admin.media_file')}
          accept={ACCEPTED}
          hint={t('admin.media_hint', { size })}
        />
        <Field
          name="media_title"
          label={t('admin.media_title')}
          hint={t('admin.media_title_hint')}
          dir="auto"
          autoComplete="off"
          maxLength={300}
          hideOptional
        />
        <FileInput
          id="media_words"
          name={nameOf('media_words')}
          label={t('admin.media_words')}
          accept=".vtt,.txt"
          hint={t('admin.media_words_hint')}
        />
        <Select
          name="media_spoken"
          label={t('admin.media_words_language')}
          {...language}
          options={LOCALES.map(toOption)}
          defaultValue={piece.sourceLocale}
        />
        <Select name="media_text" label={t('admin.content_picture_language')} {...language} />
        <UploadNotice state={state} cancel={cancel} />
        <div>
          <Button
            name="intent"
            value="media"
            look="secondary"
            isBusy={isSubmitting || state.step === 'sending'}
            {...(isReady ? { type: 'button' as const, onClick: () => void upload() } : {})}
          >
            {t('admin.media_put')}
          </Button>
        </div>
      </div>
      {files.length > 0 ? <FileList files={files} insert={isReady ? insert : undefined} /> : null}
    </details>
  );
}

const toOption = (value: Locale) => ({ value, label: endonymOf(value) });

type InputProps = { id: string; name: string | undefined; label: string; hint: string; accept: string };

function FileInput({ id, name, label, hint, accept }: InputProps) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <p id={`${id}-hint`} className="mb-1.5 text-sm text-muted">
        {hint}
      </p>
      <input id={id} name={name} type="file" accept={accept} aria-describedby={`${id}-hint`} className="input" />
    </div>
  );
}

/** Progress and outcome of an upload, announced to screen readers. */
function UploadNotice({ state, cancel }: { state: UploadState; cancel: () => void }) {
  const { t, maybe } = useText();
  return (
    <div>
      {state.step === 'sending' ? (
        <div className="flex flex-wrap items-center gap-3">
          <div className="min-w-48">
            <Progress label={t('admin.media_busy', { name: state.name })} value={state.sent} max={state.total} />
          </div>
          <Button type="button" look="quiet" small onClick={cancel}>
            {t('common.cancel')}
          </Button>
        </div>
      ) : null}
      <p role="status" className="text-sm">
        {state.step === 'sending'
          ? state.isWaiting
            ? t('admin.media_waiting')
            : t('admin.media_busy', { name: state.name })
          : null}
        {state.step === 'added' ? t('admin.media_added', { name: state.name }) : null}
      </p>
      <p role="alert" className="text-sm font-semibold text-danger">
        {state.step === 'refused' ? (maybe(`errors.${state.code}`) ?? t('admin.media_broken')) : null}
      </p>
    </div>
  );
}

type StoredFile = Piece['files'][number];

function FileList({
  files,
  insert,
}: {
  files: readonly StoredFile[];
  insert: ((file: StoredFile) => void) | undefined;
}) {
  const { t, number } = useText();
  return (
    <section aria-labelledby="media-list" className="pb-3">
      <h3 id="media-list" className="font-semibold">
        {t('admin.media_list')}
      </h3>
      <ul>
        {files.map((file) => {
          const name = file.path.slice(file.path.lastIndexOf('/') + 1);
          return (
            <li key={file.path} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-1.5">
              <a href={file.url} className="link min-w-0 grow py-1 wrap-anywhere">
                <bdi>{name}</bdi>
              </a>
              <span className="text-sm text-muted">{sizeText(number, file.bytes)}</span>
              {insert ? (
                <Button
                  type="button"
                  look="quiet"
                  small
                  onClick={() => insert(file)}
                  aria-label={t('admin.media_insert', { name })}
                >
                  {t('admin.media_insert_short')}
                </Button>
              ) : null}
              <Button
                name="intent"
                value={`remove-file:${file.path}`}
                look="quiet"
                small
                aria-label={t('admin.media_remove', { name })}
              >
                {t('admin.media_remove_short')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
