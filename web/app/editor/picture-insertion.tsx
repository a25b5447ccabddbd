import { useEffect, useState, type RefObject } from 'react';
import { useText } from '../text.tsx';
import { Button } from '../ui/button.tsx';
import { ASK_UPLOAD } from './field-events.ts';
import { insertPicture, PictureRefused } from './picture-upload.ts';

const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

type Step = 'idle' | 'sending' | 'added' | { refused: string };
type Panel = RefObject<HTMLDetailsElement | null>;

/** Uploads the chosen picture and writes it into the text; answers what the reader is told. */
async function insertChosen(panel: HTMLElement | null, to: string, onBegin: () => void): Promise<Step> {
  const [file, alt] = [fileOf(panel), altOf(panel)];
  const area = panel?.closest('form')?.querySelector<HTMLTextAreaElement>('textarea[name=body]');
  const chosen = file?.files?.[0];
  const missing = chosen ? (alt?.value.trim() ? undefined : alt) : file;
  if (!area || !chosen || !alt || missing) {
    missing?.focus();
    return 'idle';
  }
  onBegin();
  try {
    await insertPicture(area, { to, file: chosen, alt: alt.value });
  } catch (error) {
    return { refused: error instanceof PictureRefused ? error.message : '' };
  }
  file!.value = ''; // it has the chosen file
  alt.value = '';
  return 'added';
}

export type InsertionProps = { panel: Panel; to: string };

/** Inserts the chosen picture, and chooses one that is pasted or dropped into the text, to be described. */
export function PictureInsertion({ panel, to }: InsertionProps) {
  const { t, maybe } = useText();
  useChosenByPaste(panel);
  const [step, setStep] = useState<Step>('idle');
  const isSending = step === 'sending';
  const insert = async () => setStep(await insertChosen(panel.current, to, () => setStep('sending')));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button type="button" look="secondary" isBusy={isSending} onClick={() => void insert()}>
        {t('compose.picture_insert')}
      </Button>
      <span role="status" className="text-sm text-muted">
        {isSending ? t('compose.picture_sending') : step === 'added' ? t('compose.picture_added') : null}
      </span>
      {typeof step === 'object' ? (
        <p role="alert" className="text-sm font-semibold text-danger">
          {maybe(`errors.${step.refused}`) ?? t('compose.picture_failed')}
        </p>
      ) : null}
    </div>
  );
}

const fileOf = (panel: HTMLElement | null) => panel?.querySelector<HTMLInputElement>('input[name=picture]');
const altOf = (panel: HTMLElement | null) => panel?.querySelector<HTMLInputElement>('input[name=picture_alt]');

function useChosenByPaste(panel: Panel): void {
  useEffect(() => {
    const form = panel.current?.closest('form');
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal }; // before the editor sees them
    const take = (event: Event, data: DataTransfer | null) => {
      const picture = [...(data?.files ?? [])].find(({ type }) => TYPES.includes(type));
      const input = fileOf(panel.current);
      // Text that a program copies together with its picture is meant as text.
      if (!picture || !input || !panel.current || data?.types.includes('text/plain')) return;
      event.preventDefault();
      event.stopPropagation();
      const chosen = new DataTransfer();
      chosen.items.add(picture);
      input.files = chosen.files;
      panel.current.open = true;
      altOf(panel.current)?.focus();
    };
    const ask = () => {
      if (panel.current) panel.current.open = true;
      fileOf(panel.current)?.click();
    };
    form?.addEventListener(ASK_UPLOAD, ask, options);
    form?.addEventListener('paste', (event) => take(event, event.clipboardData), options);
    form?.addEventListener('drop', (event) => take(event, event.dataTransfer), options);
    form?.addEventListener(
      'dragover',
      (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault(),
      options,
    );
    return () => stop.abort();
  }, [panel]);
}
