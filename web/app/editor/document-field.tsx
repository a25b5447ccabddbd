import { Suspense, useEffect, useRef, useState, type ComponentProps, type ComponentType, type RefObject } from 'react';
import { addMessages } from '../messages.ts';
import { useText } from '../text.tsx';
import { TextArea } from '../ui/field.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { BlocksHelp } from './blocks-help.tsx';
import type { DocumentEditorProps } from './document/document-editor.tsx';
import { menuOf, type BlockName } from './markdown-blocks.ts';

// Its buttons need script anyway, and the editor mostly takes its place.
const toolbar = lazyPart(async () => (await import('./markdown-toolbar.tsx')).MarkdownToolbar);

/** Stored preference for Markdown, per device. */
const PREFERENCE = 'document-editor';

type Props = Omit<ComponentProps<typeof TextArea>, 'replacement' | 'tools' | 'ref'> & {
  blocks: readonly BlockName[];
  canUpload?: boolean;
  pictureAddress?: DocumentEditorProps['pictureAddress'];
};

const noAddress = () => undefined;

/**
 * A Markdown field of a lesson or an article. With script it becomes an editor, with a switch between text and
 * Markdown; the text area stays in the form and is what is submitted.
 */
export function DocumentField({ blocks, canUpload = false, pictureAddress = noAddress, ...props }: Props) {
  const { maybe } = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const { Rich, caret, isReady, isTooRich, open, close } = useDocumentEditor(field);
  const [allowed] = useState({ blocks: menuOf(blocks), canUpload });
  const textArea = field.current;
  return (
    <>
      <TextArea
        {...props}
        hint={Rich ? undefined : props.hint}
        ref={field}
        tools={
          Rich ? null : (
            <Suspense>
              <toolbar.Part target={props.name} blocks={blocks} />
            </Suspense>
          )
        }
        replacement={
          Rich && textArea
            ? (wiring) => (
                <Rich
                  field={wiring}
                  textArea={textArea}
                  allowed={allowed}
                  pictureAddress={pictureAddress}
                  caret={caret}
                  onMarkdown={close}
                />
              )
            : undefined
        }
      />
      {isReady && !Rich ? (
        <p className="mt-1 flex min-h-11 flex-wrap items-center gap-x-3 text-sm text-muted">
          <button type="button" className="link min-h-11" onClick={open}>
            {maybe('editor.text')}
          </button>
          <span role="status">{isTooRich ? maybe('editor.markdown_only') : null}</span>
        </p>
      ) : null}
      {Rich ? null : <BlocksHelp blocks={blocks} />}
    </>
  );
}

type Loaded = ComponentType<DocumentEditorProps>;

/** Loads the editor when the page is ready, because it is large. */
function useDocumentEditor(field: RefObject<HTMLTextAreaElement | null>) {
  const { locale } = useText();
  const [Rich, setRich] = useState<Loaded | null>(null);
  const [caret, setCaret] = useState<number>();
  const [isReady, setReady] = useState(false);
  const [isTooRich, setTooRich] = useState(false);

  const load = async (isAsked: boolean) => {
    const loaded = await Promise.all([import('./document/document-editor.tsx'), addMessages(locale, 'editor')]).catch(
      () => undefined,
    );
    const area = field.current;
    // Failed to load, as when offline: the plain field does everything needed.
    if (!loaded || !area) return;
    setReady(true);
    if (!isAsked && localStorage.getItem(PREFERENCE) === 'markdown') return;
    const [{ DocumentEditor, canHold }] = loaded;
    if (!canHold(area.value)) return setTooRich(true);
    setTooRich(false);
    setCaret(isAsked || document.activeElement === area ? area.selectionStart : undefined);
    setRich(() => DocumentEditor);
  };
  useEffect(() => {
    void load(false);
    // Once per field.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return {
    Rich,
    caret,
    isReady,
    isTooRich,
    open: () => {
      localStorage.removeItem(PREFERENCE);
      void load(true);
    },
    close: (offset: number) => {
      localStorage.setItem(PREFERENCE, 'markdown');
      setRich(null);
      // After the field is visible again.
      setTimeout(() => {
        field.current?.focus();
        field.current?.setSelectionRange(offset, offset);
      });
    },
  };
}
