import type { Editor } from '@tiptap/core';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../text.tsx';
import { announce } from '../ui/announce.ts';
import { findPeople, optionId, type Person } from './mention-list.tsx';

type Trigger = { from: number; to: number; query: string };

/** An `@` with the start of a name, just before the cursor. */
function triggerOf(editor: Editor): Trigger | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || $from.parent.type.spec.code || editor.isActive('code')) return null;
  const start = Math.max(0, $from.parentOffset - 60);
  const before = $from.parent.textBetween(start, $from.parentOffset, undefined, '\uFFFC');
  const match = /(?:^|[\s(\uFFFC])@([^\s@\uFFFC]{0,30}(?: [^\s@\uFFFC]{1,30})?)$/u.exec(before);
  if (!match) return null;
  const query = match[1] ?? '';
  return { from: $from.pos - query.length - 1, to: $from.pos, query };
}

const PAUSE_MS = 120;

export type Mentions = {
  /** Suggested members; the list is open when there are any. */
  people: Person[];
  index: number;
  pick: (person: Person) => void;
  /** Returns whether the list handled the key. */
  onKey: (event: KeyboardEvent) => boolean;
  /** Text position at which the list is shown. */
  at: number | null;
};

/** The trigger at the cursor, unless its list was closed. */
function useTrigger(editor: Editor | null, community: string | undefined) {
  const [trigger, setTrigger] = useState<Trigger | null>(null);
  const closedAt = useRef<number | null>(null);
  useEffect(() => {
    if (!editor || !community) return undefined;
    const look = () => {
      const found = editor.isFocused ? triggerOf(editor) : null;
      if (!found) closedAt.current = null;
      const next = found && found.from === closedAt.current ? null : found;
      setTrigger((last) => (last?.from === next?.from && last?.query === next?.query ? last : next));
    };
    editor.on('transaction', look).on('blur', look);
    return () => void editor.off('transaction', look).off('blur', look);
  }, [editor, community]);
  const close = ({ from }: Trigger) => {
    closedAt.current = from;
    setTrigger(null);
  };
  return { trigger, close };
}

/** The members whose names begin with the query, without the author. */
function useFound(query: string | undefined, community: string | undefined, self: string | undefined) {
  const { t } = useText();
  const [people, setPeople] = useState<Person[]>([]);
  const [index, setIndex] = useState(0);
  useEffect(() => {
    if (query === undefined || !community) return setPeople([]);
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const found = (await findPeople(community, query, stop.signal)).filter(({ id }) => id !== self);
      if (stop.signal.aborted) return;
      setPeople(found);
      setIndex(0);
      announce(t('compose.people_found', { count: found.length }));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, community, self, t]);
  return { people, index, setIndex, forget: () => setPeople([]) };
}

/** Tells assistive technology which suggestion is chosen while the cursor stays in the text. */
function useListAttributes(editor: Editor | null, isOpen: boolean, listId: string, index: number): void {
  useEffect(() => {
    const field = editor?.view.dom;
    if (!field) return;
    for (const [name, value] of [
      ['aria-controls', listId],
      ['aria-activedescendant', optionId(listId, index)],
    ] as const) {
      if (isOpen) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
  }, [editor, isOpen, index, listId]);
}

/** Suggests members after an `@`: arrow keys choose, Enter or Tab selects, Esc closes. */
export function useMentions(
  editor: Editor | null,
  {
    community,
    listId,
    self,
    onPicked,
  }: { community: string | undefined; listId: string; self: string | undefined; onPicked: (person: Person) => void },
): Mentions {
  const { trigger, close } = useTrigger(editor, community);
  const { people, index, setIndex, forget } = useFound(trigger?.query, community, self);
  const isOpen = people.length > 0;
  useListAttributes(editor, isOpen, listId, index);

  const pick = (person: Person) => {
    if (!editor || !trigger) return;
    const mention = { type: 'mention', attrs: { id: person.id, name: person.name } };
    onPicked(person);
    editor
      .chain()
      .focus()
      .insertContentAt(trigger, [mention, { type: 'text', text: ' ' }])
      .run();
    forget();
  };

  const onKey = ({ key }: KeyboardEvent): boolean => {
    if (!isOpen || !trigger) return false;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const chosen = people[index];
    if (step) setIndex((index + step + people.length) % people.length);
    else if ((key === 'Enter' || key === 'Tab') && chosen) pick(chosen);
    else if (key === 'Escape') {
      close(trigger);
      forget();
    } else return false;
    return true;
  };

  return { people, index, pick, onKey, at: isOpen && trigger ? trigger.from : null };
}
