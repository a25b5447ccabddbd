import { Editor, getSchema } from '@tiptap/core';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useText } from '../text.tsx';
import type { FieldWiring } from '../ui/field.tsx';
import { connectField } from './connect-field.ts';
import { extensions } from './extensions.ts';
import { LinkForm } from './link-form.tsx';
import { openMarkdown, type Names } from './markdown.ts';
import { MentionList, type Person } from './mention-list.tsx';
import { Toolbar } from './toolbar.tsx';
import { useMentions } from './use-mentions.ts';

const schema = getSchema(extensions);

/** Whether the editor can represent the whole text. */
export function canHold(source: string): boolean {
  return openMarkdown(schema, source, {}) !== null;
}

export type RichEditorProps = {
  field: FieldWiring;
  /** The form field: read when the editor opens, updated with every change. */
  textArea: HTMLTextAreaElement;
  names: Names;
  /** Slug of the community whose members can be mentioned. */
  community: string | undefined;
  /** Id of the author. */
  self: string | undefined;
  isFocused: boolean;
  onMentioned: (person: Person) => void;
  onPlain: () => void;
};

/** A rich editor for Markdown: formatting while typing, a toolbar, and member suggestions after an @. */
export function RichEditor(props: RichEditorProps) {
  const { field, textArea, community, self, onMentioned, onPlain } = props;
  const frame = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [isLinking, setIsLinking] = useState(false);
  const editor = useEditor(
    place,
    props,
    () => setIsLinking(true),
    (event) => mentions.onKey(event),
  );
  const listId = `${field.id}-people`;
  const mentions = useMentions(editor, { community, listId, self, onPicked: onMentioned });
  const panel = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!editor || !panel.current || !frame.current || mentions.at === null) return;
    const cursor = editor.view.coordsAtPos(mentions.at);
    const box = frame.current.getBoundingClientRect();
    const room = box.width - panel.current.offsetWidth;
    panel.current.style.top = `${cursor.bottom - box.top + 4}px`;
    panel.current.style.left = `${Math.max(0, Math.min(cursor.left - box.left, room))}px`;
  }, [editor, mentions.at]);

  useEffect(() => {
    const dom = editor?.view.dom;
    if (!dom) return;
    for (const [name, value] of Object.entries({
      'aria-describedby': field.describedBy,
      'aria-invalid': field.isInvalid ? 'true' : undefined,
    })) {
      if (value) dom.setAttribute(name, value);
      else dom.removeAttribute(name);
    }
  }, [editor, field.describedBy, field.isInvalid]);

  return (
    <div ref={frame} className="relative">
      <div
        className={`rich-frame rounded border bg-card ${field.isInvalid ? 'border-2 border-danger' : 'border-edge'}`}
      >
        <Toolbar
          editor={editor}
          controls={field.id}
          canMention={community !== undefined}
          isLinking={isLinking}
          onLink={() => setIsLinking(!isLinking)}
          onPlain={() => {
            onPlain();
            // After the field is visible again.
            setTimeout(() => textArea.focus());
          }}
        />
        {isLinking && editor ? <LinkForm editor={editor} onDone={() => setIsLinking(false)} /> : null}
        <div ref={place} />
      </div>
      {mentions.at === null ? null : (
        <div ref={panel} className="absolute z-30 max-w-full">
          <MentionList id={listId} people={mentions.people} index={mentions.index} onPick={mentions.pick} />
        </div>
      )}
    </div>
  );
}

/** Uses the editor's own format: the browser would parse a string as HTML. */
const EMPTY = { type: 'doc', content: [{ type: 'paragraph' }] };

function attributesOf(field: FieldWiring): Record<string, string> {
  return {
    id: field.id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': field.labelId,
    'aria-required': 'true',
    class: 'prose is-compact rich-text',
  };
}

/** Returns whether the key was a shortcut. */
function runShortcut(
  editor: Editor,
  event: KeyboardEvent,
  { form, onLink }: { form: HTMLFormElement | null; onLink: () => void },
): boolean {
  if (!(event.ctrlKey || event.metaKey)) return false;
  if (event.key === 'Enter') form?.requestSubmit();
  else if (event.key.toLowerCase() === 'k') onLink();
  else if (event.key === ']') editor.commands.sinkListItem('listItem');
  else if (event.key === '[') editor.commands.liftListItem('listItem');
  else return false;
  return true;
}

/** The editor instance, for the lifetime of its element. */
function useEditor(
  place: RefObject<HTMLElement | null>,
  { field, textArea, names, isFocused }: RichEditorProps,
  onLink: () => void,
  onKey: (event: KeyboardEvent) => boolean,
): Editor | null {
  const { t } = useText();
  const [editor, setEditor] = useState<Editor | null>(null);
  const keys = useRef({ onLink, onKey });
  useEffect(() => {
    keys.current = { onLink, onKey };
  });
  const start = useRef({ field, names, isFocused, unknown: t('common.unknown_person') });

  // Runs in the step that hides the field, or keys pressed in between would be lost.
  useLayoutEffect(() => {
    const { field, names, isFocused, unknown } = start.current;
    // Since the field was left to the editor, the user may have moved on.
    const isElsewhere = ![textArea, document.body].includes(document.activeElement as HTMLElement);
    const made = new Editor({
      element: place.current,
      extensions,
      content: EMPTY,
      injectCSS: false,
      textDirection: 'auto',
      editorProps: {
        attributes: attributesOf(field),
        handleDOMEvents: {
          // Tab leaves the editor even in a list: no keyboard trap.
          keydown: (_view, event) => {
            if (event.key !== 'Tab') return false;
            if (keys.current.onKey(event)) event.preventDefault();
            return true;
          },
        },
        handleKeyDown: (_view, event) =>
          keys.current.onKey(event) || runShortcut(made, event, { form: textArea.form, onLink: keys.current.onLink }),
      },
    });
    const disconnect = connectField(made, textArea, { names, unknown });
    if (isFocused && !isElsewhere) {
      made.commands.setTextSelection(made.state.doc.content.size);
      made.view.focus(); // the editor's own command waits a frame
    }
    setEditor(made);
    return () => {
      disconnect();
      made.destroy();
      setEditor(null);
    };
  }, [place, textArea]);
  return editor;
}
