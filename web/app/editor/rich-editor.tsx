import { Editor, getSchema } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useText } from '../text.tsx';
import type { FieldWiring } from '../ui/field.tsx';
import { extensions } from './extensions.ts';
import { LinkForm } from './link-form.tsx';
import { openMarkdown, writeMarkdown, type Names } from './markdown.ts';
import { MentionList, type Person } from './mention-list.tsx';
import { Toolbar } from './toolbar.tsx';
import { useMentions } from './use-mentions.ts';

const schema = getSchema(extensions);

/** Whether nothing of a text would be lost in the editor. */
export function canHold(source: string): boolean {
  return openMarkdown(schema, source, {}) !== null;
}

export type RichEditorProps = {
  field: FieldWiring;
  /** The field of the form: read when the editor opens, written with every change. */
  textArea: HTMLTextAreaElement;
  names: Names;
  /** Slug of the community whose members can be mentioned. */
  community: string | undefined;
  /** The writer's id. */
  self: string | undefined;
  isFocused: boolean;
  onMentioned: (person: Person) => void;
  onPlain: () => void;
};

/** A Markdown field as people expect to write: formatted while typing, with a toolbar and a list of members after an @. */
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
            // Once the field itself is there again.
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

/** As the editor knows it: from a text it would have the browser read HTML. */
const EMPTY = { type: 'doc', content: [{ type: 'paragraph' }] };

/** The editor in its place, for as long as that is there. */
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

  // In the same step as the field goes: keys that are pressed in between would reach nothing.
  useLayoutEffect(() => {
    const { field, names, isFocused, unknown } = start.current;
    let known = new Map<Node, string>();
    let written = textArea.value;
    const made = new Editor({
      element: place.current,
      extensions,
      content: EMPTY,
      injectCSS: false,
      textDirection: 'auto',
      editorProps: {
        attributes: {
          id: field.id,
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-labelledby': field.labelId,
          'aria-required': 'true',
          class: 'prose is-compact rich-text',
        },
        handleDOMEvents: {
          // In a list, too, Tab leads on: nobody shall be held in here.
          keydown: (_view, event) => {
            if (event.key !== 'Tab') return false;
            if (keys.current.onKey(event)) event.preventDefault();
            return true;
          },
        },
        handleKeyDown: (_view, event) => {
          if (keys.current.onKey(event)) return true;
          if (!(event.ctrlKey || event.metaKey)) return false;
          if (event.key === 'Enter') textArea.form?.requestSubmit();
          else if (event.key.toLowerCase() === 'k') keys.current.onLink();
          else if (event.key === ']') made.commands.sinkListItem('listItem');
          else if (event.key === '[') made.commands.liftListItem('listItem');
          else return false;
          return true;
        },
      },
      onUpdate: ({ editor: { state } }) => {
        written = writeMarkdown(state.doc, known);
        textArea.value = written;
        textArea.dispatchEvent(new Event('input', { bubbles: true }));
      },
    });
    const fill = () => {
      const opened = openMarkdown(made.schema, textArea.value, names, unknown);
      if (!opened) return;
      made.commands.setContent(opened.doc.toJSON(), { emitUpdate: false });
      known = new Map(made.state.doc.children.map((block, index) => [block, opened.blocks[index] ?? '']));
      if (opened.blocks.length === 0) known.clear();
      written = textArea.value;
    };
    fill();
    if (isFocused) {
      made.commands.setTextSelection(made.state.doc.content.size);
      made.view.focus(); // the editor's own command waits for the next frame
    }
    // Emptied after sending, or filled from a draft.
    const refill = () => setTimeout(() => textArea.value !== written && fill());
    textArea.form?.addEventListener('reset', refill);
    textArea.addEventListener('refill', refill);
    setEditor(made);
    const { form } = textArea;
    return () => {
      form?.removeEventListener('reset', refill);
      textArea.removeEventListener('refill', refill);
      made.destroy();
      setEditor(null);
    };
  }, [place, textArea]);
  return editor;
}
