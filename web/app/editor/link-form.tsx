import type { Editor } from '@tiptap/core';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { useText } from '../text.tsx';
import { Button } from '../ui/button.tsx';

/** Fields for the address of the selected text. Not a form element, because it is inside one. */
export function LinkForm({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const { t } = useText();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const present = editor.getAttributes('link')['href'];
  const close = () => {
    onDone();
    editor.commands.focus();
  };
  const set = () => {
    const typed = input.current?.value.trim() ?? '';
    const href = !typed || /^(?:https?:\/\/|mailto:)/i.test(typed) ? typed : `https://${typed}`;
    const chain = editor.chain().focus().extendMarkRange('link');
    if (!href) chain.unsetLink().run();
    else if (editor.state.selection.empty && !present)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setLink({ href }).run();
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') set();
    else close();
  };
  return (
    <div className="flex flex-wrap items-end gap-2 border-b border-line p-2">
      <div className="min-w-0 flex-1 basis-52">
        <label htmlFor={id} className="mb-1 block text-sm font-semibold">
          {t('compose.link_address')}
        </label>
        <input
          ref={input}
          id={id}
          type="url"
          dir="ltr"
          autoComplete="off"
          placeholder="https://"
          defaultValue={typeof present === 'string' ? present : ''}
          className="input"
          onKeyDown={onKeyDown}
        />
      </div>
      <Button type="button" look="secondary" onClick={set}>
        {t('compose.link_set')}
      </Button>
      {present ? (
        <Button
          type="button"
          look="quiet"
          onClick={() => {
            editor.chain().focus().extendMarkRange('link').unsetLink().run();
            close();
          }}
        >
          {t('compose.link_remove')}
        </Button>
      ) : null}
    </div>
  );
}
