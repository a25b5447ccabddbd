import { useEffect, useRef } from 'react';
import { useText } from '../../text.tsx';
import { optionId, type SlashMenu } from './use-slash-menu.ts';

/** The menu of insertions below a typed slash. The editor keeps the focus and handles the keys. */
export function InsertMenu({ id, menu: { found, index, pick } }: { id: string; menu: SlashMenu }) {
  const { t } = useText();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('editor.insert')}
      className="panel max-h-80 w-64 max-w-full overflow-y-auto p-1"
    >
      {found.map((insertion, position) => (
        // The editor that owns this list has the focus and handles the keys.
        <li
          key={insertion.name}
          id={optionId(id, position)}
          role="option"
          aria-selected={position === index}
          className="flex min-h-11 cursor-pointer items-center rounded px-3 py-1 hover:bg-accent-soft aria-selected:bg-accent-soft aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent"
          onPointerDown={(event) => {
            event.preventDefault();
            pick(insertion);
          }}
        >
          {t(insertion.label)}
        </li>
      ))}
    </ul>
  );
}
