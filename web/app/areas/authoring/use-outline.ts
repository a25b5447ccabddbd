import {
  type DragEvent,
  type HTMLAttributes,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { fieldsOf } from './outline-lessons.ts';
import { moveLesson, placeLesson } from './outline-order.ts';

/**
 * The lessons of each section as they are arranged in the page. Nothing is saved before the draft is. Without script the
 * buttons submit the form, which saves each move.
 */
export function useOutline(saved: readonly (readonly string[])[]) {
  const { t } = useText();
  const [lists, setLists] = useState(saved);
  const [isLive, setLive] = useState(false);
  const mark = useRef<HTMLElement>(null);
  const dragged = useRef<{ key: string; title: string } | null>(null);
  const focused = useRef<string | null>(null);
  const { typedOf, keepTyped } = useTyped(mark);
  useEffect(() => setLive(true), []);

  const arrange = (next: readonly (readonly string[])[]) => {
    keepTyped(lists.flat());
    setLists(next);
  };

  // Forms notice changes by their input events, which hidden fields do not send.
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else mark.current?.dispatchEvent(new Event('input', { bubbles: true }));
    // A lesson that moves to another section is a new element, without the focus.
    if (focused.current) focusOn(mark.current?.querySelector(`button[value="${CSS.escape(focused.current)}"]`));
    focused.current = null;
  }, [lists]);

  const say = (next: readonly (readonly string[])[], key: string, title: string) => {
    const section = next.findIndex((lessons) => lessons.includes(key));
    if (section < 0) return;
    const position = (next[section]?.indexOf(key) ?? 0) + 1;
    announce(t('admin.content_moved', { title, section: section + 1, position }));
  };

  /** Handles a button that without script submits its intent. */
  const onPress = (verb: string, key: string, title: string) => (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    const next = moveLesson(lists, `${verb}:${key}`);
    focused.current = event.currentTarget.value;
    arrange(next);
    say(next, key, title);
  };

  const dragOf = (key: string, title: string): HTMLAttributes<HTMLLIElement> & { draggable?: boolean } =>
    isLive
      ? {
          draggable: true,
          onDragStart: (event) => {
            dragged.current = { key, title };
            event.dataTransfer.effectAllowed = 'move';
            event.dataTransfer.setData('text/plain', title);
          },
        }
      : {};

  const onDragOver = (section: number) => (event: DragEvent<HTMLOListElement>) => {
    const key = dragged.current?.key;
    if (key === undefined) return;
    event.preventDefault();
    const next = placeLesson(lists, key, { section, at: placeUnder(event, lists[section] ?? [], key) });
    if (JSON.stringify(next) !== JSON.stringify(lists)) arrange(next);
  };
  const onDrop = (event: DragEvent<HTMLOListElement>) => {
    event.preventDefault();
    if (dragged.current) say(lists, dragged.current.key, dragged.current.title);
    dragged.current = null;
  };
  const dropIn = (section: number): HTMLAttributes<HTMLOListElement> =>
    isLive ? { onDragOver: onDragOver(section), onDrop } : {};

  return { lists, isLive, mark, onPress, dragOf, dropIn, typedOf };
}

/** Focuses the button, or the one beside it when the lesson can move no further that way. */
function focusOn(button: HTMLButtonElement | null | undefined): void {
  const beside = button?.disabled ? button.parentElement?.querySelector<HTMLButtonElement>('button:enabled') : button;
  beside?.focus();
}

/** The place of the dragged lesson: before the first one whose middle is below the pointer. */
function placeUnder(event: DragEvent<HTMLOListElement>, lessons: readonly string[], key: string): number {
  const rows = [...event.currentTarget.children].filter((_, nth) => lessons[nth] !== key);
  const below = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect();
    return event.clientY < top + height / 2;
  });
  return below < 0 ? lessons.filter((each) => each !== key).length : below;
}

/** A lesson that moves to another section is a new element, which takes over what was typed. */
function useTyped(mark: RefObject<HTMLElement | null>) {
  const typed = useRef(new Map<string, { minutes: string; mandatory: boolean }>());
  const inputOf = (name: string) => mark.current?.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
  const keepTyped = (keys: readonly string[]) => {
    for (const key of keys) {
      const [minutes, mandatory] = [inputOf(fieldsOf(key).minutes), inputOf(fieldsOf(key).mandatory)];
      if (minutes && mandatory) typed.current.set(key, { minutes: minutes.value, mandatory: mandatory.checked });
    }
  };
  return { typedOf: (key: string) => typed.current.get(key), keepTyped };
}

export type Outline = ReturnType<typeof useOutline>;
