import { Editor, Extension, getSchema } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import type { FieldWiring } from '../../ui/field.tsx';
import { LinkForm } from '../link-form.tsx';
import { useTemplateWords } from '../template-words.ts';
import { Toolbar } from '../toolbar.tsx';
import { cleanPaste } from './clean-paste.ts';
import { connectDocument, type DocumentField } from './connect-document.ts';
import { frameView, type Words } from './frame-view.ts';
import { itemView, pictureView, type PictureAddress } from './inline-views.ts';
import { InsertMenu } from './insert-menu.tsx';
import { insertionsOf, type Allowed } from './insertions.ts';
import { documentExtensions } from './nodes.ts';
import { openDocument } from './open.ts';
import { blockShortcut, FIRST_TOOLS, LAST_TOOLS, TABLE_TOOLS } from './tools.ts';
import { useSlashMenu } from './use-slash-menu.ts';

const schema = getSchema(documentExtensions);

/** Whether the editor can open the text. */
export const canHold = (source: string): boolean => openDocument(schema, source) !== null;

export type DocumentEditorProps = {
  field: FieldWiring;
  /** The form field: read when the editor opens, updated with every change. */
  textArea: HTMLTextAreaElement;
  allowed: Allowed;
  pictureAddress: PictureAddress;
  /** The position of the cursor in the Markdown, if the field had the focus. */
  caret: number | undefined;
  /** Leads to the Markdown, with the place of the cursor in it. */
  onMarkdown: (caret: number) => void;
};

/** The editor of a lesson or an article: text with blocks as frames, a toolbar, and a menu after a slash. */
export function DocumentEditor(props: DocumentEditorProps) {
  const { field, textArea, allowed, onMarkdown } = props;
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isLinking, setIsLinking] = useState(false);
  const [pictures, setPictures] = useState(0);
  const { t } = useText();
  const words = useTemplateWords();
  const listId = `${field.id}-insert`;
  const hintId = useId();
  const { editor, document } = useDocumentEditor(place, props, {
    hintId,
    onLink: () => setIsLinking(true),
    onKey: (event) => menu.onKey(event),
    onPictures: setPictures,
  });
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the words change only with the language, and the page with it
  const insertions = useMemo(() => insertionsOf(allowed, words, textArea), [allowed, textArea]);
  const menu = useSlashMenu(editor, insertions, listId);
  const isTable = useIsTable(editor);

  useLayoutEffect(() => {
    if (!editor || !panel.current || !frame.current || menu.at === null) return;
    const cursor = editor.view.coordsAtPos(menu.at);
    const box = frame.current.getBoundingClientRect();
    const room = box.width - panel.current.offsetWidth;
    panel.current.style.top = `${cursor.bottom - box.top + 4}px`;
    panel.current.style.left = `${Math.max(0, Math.min(cursor.left - box.left, room))}px`;
  }, [editor, menu.at]);
  useDescription(editor, field, hintId);
  return (
    <div ref={frame} className="relative">
      <div
        className={`rich-frame rounded border bg-card ${field.isInvalid ? 'border-2 border-danger' : 'border-edge'}`}
      >
        <Toolbar
          editor={editor}
          controls={field.id}
          canMention={false}
          isLinking={isLinking}
          onLink={() => setIsLinking(!isLinking)}
          onPlain={() => onMarkdown(document.current?.caret() ?? 0)}
          first={FIRST_TOOLS}
          last={isTable ? [...LAST_TOOLS, ...TABLE_TOOLS] : LAST_TOOLS}
          plainLabel="editor.markdown"
        />
        {isLinking && editor ? <LinkForm editor={editor} onDone={() => setIsLinking(false)} /> : null}
        <div ref={place} />
      </div>
      <p id={hintId} className="mt-1 text-sm text-muted">
        {t('editor.keys_hint')}
      </p>
      <p role="status" className="text-sm font-semibold">
        {pictures === 0 ? null : t('editor.paste_pictures', { count: pictures })}
      </p>
      {menu.found.length === 0 ? null : (
        <div ref={panel} className="absolute z-30 max-w-full">
          <InsertMenu id={listId} menu={menu} />
        </div>
      )}
    </div>
  );
}

function useDescription(editor: Editor | null, field: FieldWiring, hintId: string): void {
  useEffect(() => {
    const dom = editor?.view.dom;
    dom?.setAttribute('aria-describedby', [field.describedBy, hintId].filter(Boolean).join(' '));
    if (field.isInvalid) dom?.setAttribute('aria-invalid', 'true');
    else dom?.removeAttribute('aria-invalid');
  }, [editor, field.describedBy, field.isInvalid, hintId]);
}

function useIsTable(editor: Editor | null): boolean {
  const [isTable, setIsTable] = useState(false);
  useEffect(() => {
    if (!editor) return undefined;
    const look = () => setIsTable(editor.isActive('table'));
    editor.on('transaction', look);
    return () => void editor.off('transaction', look);
  }, [editor]);
  return isTable;
}

type Keys = {
  hintId: string;
  onLink: () => void;
  onKey: (event: KeyboardEvent) => boolean;
  /** Called with the number of pictures that a pasted text had and lost. */
  onPictures: (count: number) => void;
};

/** Uses the editor's own format: the browser would parse a string as HTML. */
const EMPTY = { type: 'doc', content: [{ type: 'paragraph' }] };

/** The editor instance, for the lifetime of its element. */
function useDocumentEditor(place: RefObject<HTMLElement | null>, props: DocumentEditorProps, given: Keys) {
  const { textArea } = props;
  const { t } = useText();
  const [editor, setEditor] = useState<Editor | null>(null);
  const document = useRef<DocumentField>(undefined);
  const keys = useRef(given);
  useEffect(() => {
    keys.current = given;
  });
  const start = useRef({ props, words: (key: Parameters<Words>[0]) => t(key) });

  // Runs in the step that hides the field, or keys pressed in between would be lost.
  useLayoutEffect(() => {
    const { props, words } = start.current;
    const made = new Editor({
      element: place.current,
      extensions: [...documentExtensions, viewsOf(words, props.pictureAddress)],
      content: EMPTY,
      injectCSS: false,
      textDirection: 'auto',
      editorProps: {
        attributes: attributesOf(props),
        handleDOMEvents: {
          // Tab leaves the editor even in a list: no keyboard trap.
          keydown: (view, event) => {
            if (event.key !== 'Tab' || event.target !== view.dom) return false;
            if (keys.current.onKey(event)) event.preventDefault();
            return true;
          },
        },
        handleKeyDown: (_view, event) => keys.current.onKey(event) || runShortcut(made, event, keys.current, words),
        transformPastedHTML: (html) => {
          if (html.includes('data-pm-slice')) return html; // copied here
          const clean = cleanPaste(html);
          keys.current.onPictures(clean.pictures);
          return clean.html;
        },
        // Files go to the upload of the page, which listens further out.
        handlePaste: (_view, { clipboardData }) => hasOnlyFiles(clipboardData),
        handleDrop: (view, event) => {
          if (!hasOnlyFiles(event.dataTransfer)) return false;
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
          if (at !== undefined) made.commands.setTextSelection(at);
          return true;
        },
      },
    });
    document.current = connectDocument(made, textArea);
    if (props.caret !== undefined) {
      document.current.placeCaret(props.caret);
      made.view.focus(); // the editor's own command waits a frame
    }
    setEditor(made);
    return () => {
      document.current?.disconnect();
      made.destroy();
      setEditor(null);
    };
  }, [place, textArea]);
  return { editor, document };
}

const hasOnlyFiles = (data: DataTransfer | null) => !!data?.files.length && !data.types.includes('text/plain');

function attributesOf({ field, textArea }: DocumentEditorProps): Record<string, string> {
  return {
    id: field.id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': field.labelId,
    'data-field': textArea.name,
    lang: textArea.lang,
    class: 'prose is-compact rich-text is-document',
  };
}

/** A plugin, because the editor's own views replace those of its options. */
function viewsOf(words: Words, pictureAddress: PictureAddress) {
  const frame = frameView(words);
  const picture = pictureView(words, pictureAddress);
  const nodeViews = {
    frame,
    group: frame,
    part: frame,
    quiz: frame,
    leaf: frame,
    raw: frame,
    picture,
    listItem: itemView(words),
  };
  return Extension.create({ name: 'views', addProseMirrorPlugins: () => [new Plugin({ props: { nodeViews } })] });
}

/** Returns whether the key was a shortcut. */
function runShortcut(editor: Editor, event: KeyboardEvent, { onLink }: Keys, words: Words): boolean {
  const done = blockShortcut(editor, event);
  if (done) {
    if (done !== true) announce(words(done));
    return true;
  }
  if (event.key === 'Enter' && !event.shiftKey && editor.getAttributes('listItem')['task'] === true) {
    if (editor.commands.splitListItem('listItem')) editor.commands.updateAttributes('listItem', { task: false });
    return true;
  }
  if (!(event.ctrlKey || event.metaKey)) return false;
  if (event.key.toLowerCase() === 'k') onLink();
  else if (event.key === ']') editor.commands.sinkListItem('listItem');
  else if (event.key === '[') editor.commands.liftListItem('listItem');
  else return false;
  return true;
}
