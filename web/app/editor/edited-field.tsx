import { lazy, Suspense, useEffect, useRef, useState, type ComponentType, type ReactNode, type RefObject } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { TextArea } from '../ui/field.tsx';
import { DraftKeeper } from './draft-keeper.tsx';
import { keepName, keptNames } from './drafts.ts';
import type { Names } from './markdown.ts';
import type { RichEditorProps } from './rich-editor.tsx';

// Shown only with script, after the page is ready; without it, as when offline, nothing is missing.
const LinkPreview = lazy(async () => {
  const module = await import('./link-preview.tsx').catch(() => undefined);
  return { default: module?.LinkPreview ?? (() => null) };
});

/** Stored preference for the plain field, per device. */
const PREFERENCE = 'editor';

export type EditedFieldProps = {
  label: ReactNode;
  body?: string;
  rows?: number;
  isLabelHidden?: boolean;
  autoFocus?: boolean;
  /** Names of users mentioned in `body`, by id. */
  people?: Names;
  /** Slug of the community whose members can be mentioned. */
  community: string | undefined;
};

/**
 * A Markdown field named `body`. Plain without script or by preference; otherwise it becomes an editor when it gets the
 * focus. Saves drafts and previews the first link.
 */
export function EditedField({ label, body, rows = 5, isLabelHidden, autoFocus, people, community }: EditedFieldProps) {
  const { t } = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [textArea, setTextArea] = useState<HTMLTextAreaElement | null>(null);
  const self = useRouteLoaderData<RootData>('root')?.viewer?.id;
  const { Rich, isFocused, isTooRich, open, close } = useRichEditor(field);
  useEffect(() => setTextArea(field.current), []);
  const names = () => ({ ...(self && keptNames(localStorage, self)), ...people });
  return (
    <div>
      <DraftKeeper />
      <TextArea
        ref={field}
        name="body"
        label={label}
        hideLabel={isLabelHidden}
        hint={Rich ? undefined : t('community.markdown_hint')}
        defaultValue={body}
        rows={rows}
        maxLength={65_536}
        dir="auto"
        required
        autoFocus={autoFocus}
        replacement={
          Rich && textArea
            ? (wiring) => (
                <Rich
                  field={wiring}
                  textArea={textArea}
                  names={names()}
                  community={community}
                  self={self}
                  isFocused={isFocused}
                  onMentioned={(person) => self && keepName(localStorage, self, person)}
                  onPlain={close}
                />
              )
            : undefined
        }
      />
      {textArea && !Rich ? (
        <p className="mt-1 flex min-h-9 flex-wrap items-center gap-x-3 text-sm text-muted">
          <button type="button" className="link min-h-9" onClick={open}>
            {t('compose.rich')}
          </button>
          <span role="status">{isTooRich ? t('compose.plain_only') : null}</span>
        </p>
      ) : null}
      {textArea ? (
        <Suspense>
          <LinkPreview field={textArea} />
        </Suspense>
      ) : null}
    </div>
  );
}

type Loaded = ComponentType<RichEditorProps>;

/** Loads the editor at the first use of the form, because it is large. */
function useRichEditor(field: RefObject<HTMLTextAreaElement | null>) {
  const [Rich, setRich] = useState<Loaded | null>(null);
  const [isFocused, setIsFocused] = useState(false);
  const [isTooRich, setIsTooRich] = useState(false);

  const load = async (isAsked: boolean) => {
    const module = await import('./rich-editor.tsx').catch(() => null);
    // Failed to load, as when offline: the plain field does everything needed.
    if (!module || !field.current) return;
    if (!module.canHold(field.current.value)) return setIsTooRich(true);
    setIsTooRich(false);
    setIsFocused(isAsked || document.activeElement === field.current);
    setRich(() => module.RichEditor);
  };

  useEffect(() => {
    const element = field.current;
    const form = element?.form;
    if (!form || localStorage.getItem(PREFERENCE) === 'plain') return undefined;
    const fetchAhead = () => void import('./rich-editor.tsx').catch(() => undefined); // load() handles the failure
    const onFocus = () => void load(false);
    form.addEventListener('focusin', fetchAhead, { once: true });
    element.addEventListener('focus', onFocus, { once: true });
    // The reader may have begun before the page came to life.
    if (form.contains(document.activeElement)) fetchAhead();
    if (document.activeElement === element) onFocus();
    return () => {
      form.removeEventListener('focusin', fetchAhead);
      element.removeEventListener('focus', onFocus);
    };
    // Once per form.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    Rich,
    isFocused,
    isTooRich,
    open: () => {
      localStorage.removeItem(PREFERENCE);
      void load(true);
    },
    close: () => {
      localStorage.setItem(PREFERENCE, 'plain');
      setRich(null);
    },
  };
}
