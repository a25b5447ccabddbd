import type { Editor } from '@tiptap/core';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import type { Insertion } from './insertions.ts';

type Trigger = { from: number; to: number; query: string };

/** A `/` as a word of its own, with the start of a name, just before the cursor. */
function triggerOf(editor: Editor): Trigger | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || $from.parent.type.spec.code || editor.isActive('code')) return null;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - 40),
    $from.parentOffset,
    undefined,
    '\uFFFC',
  );
  const match = /(?:^|\s)\/([^\s/\uFFFC]{0,24})$/u.exec(before);
  if (!match) return null;
  const query = match[1] ?? '';
  return { from: $from.pos - query.length - 1, to: $from.pos, query };
}

export type SlashMenu = {
  /** The matches; the menu is open when there are any. */
  found: readonly Insertion[];
  index: number;
  pick: (insertion: Insertion) => void;
  /** Returns whether the menu handled the key. */
  onKey: (event: KeyboardEvent) => boolean;
  /** Text position at which the menu is shown. */
  at: number | null;
  close: () => void;
};

export const optionId = (listId: string, index: number) => `${listId}-${index}`;

/** Opens a menu after a `/`: arrow keys choose, Enter or Tab inserts, Esc closes. */
export function useSlashMenu(editor: Editor | null, all: readonly Insertion[], listId: string): SlashMenu {
  const { t, locale } = useText();
  const [trigger, setTrigger] = useState<Trigger | null>(null);
  const [index, setIndex] = useState(0);
  const closedAt = useRef<number | null>(null);
  useEffect(() => {
    if (!editor) return undefined;
    const look = () => {
      const found = editor.isFocused ? triggerOf(editor) : null;
      if (!found) closedAt.current = null;
      const next = found && found.from === closedAt.current ? null : found;
      setTrigger((last) => (last?.from === next?.from && last?.query === next?.query ? last : next));
    };
    editor.on('transaction', look).on('blur', look);
    return () => void editor.off('transaction', look).off('blur', look);
  }, [editor]);

  const simple = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(locale);
  const query = trigger && simple(trigger.query);
  const found = query === null ? [] : all.filter(({ name, label }) => `${simple(t(label))} ${name}`.includes(query));
  const isOpen = found.length > 0;
  const chosen = Math.min(index, Math.max(0, found.length - 1));
  useEffect(() => {
    setIndex(0);
    if (query !== null) announce(t('editor.insert_found', { count: found.length }));
    // Runs for each letter, not for each list, which is made anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [query]);
  useEffect(() => {
    const field = editor?.view.dom;
    for (const [name, value] of [
      ['aria-controls', listId],
      ['aria-activedescendant', optionId(listId, chosen)],
    ] as const) {
      if (isOpen) field?.setAttribute(name, value);
      else field?.removeAttribute(name);
    }
  }, [editor, isOpen, chosen, listId]);

  const close = () => {
    closedAt.current = trigger?.from ?? null;
    setTrigger(null);
  };
  const pick = (insertion: Insertion) => {
    if (!editor || !trigger) return;
    editor.commands.deleteRange(trigger);
    setTrigger(null);
    insertion.run(editor);
  };
  const onKey = ({ key }: KeyboardEvent): boolean => {
    const insertion = found[chosen];
    if (!insertion) return false;
    if (key === 'ArrowDown' || key === 'ArrowUp')
      setIndex((chosen + (key === 'ArrowDown' ? 1 : -1) + found.length) % found.length);
    else if (key === 'Enter' || key === 'Tab') pick(insertion);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return { found, index: chosen, pick, onKey, at: trigger?.from ?? null, close };
}
