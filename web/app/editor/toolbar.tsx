import type { Editor } from '@tiptap/core';
import {
  AtSign,
  Bold,
  Code,
  Italic,
  Link as LinkIcon,
  List,
  ListOrdered,
  TextQuote,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState, type KeyboardEvent } from 'react';
import type { MessageKey } from '../message-keys.ts';
import { useText } from '../text.tsx';
import { Icon } from '../ui/icon.tsx';

export type Tool = {
  /** Name of the node or mark, with the level of a heading; pressed while the cursor is inside one. Empty: never. */
  name: string;
  label: MessageKey;
  icon: LucideIcon;
  keys?: string;
  run: (editor: Editor) => void;
};

const TOOLS: readonly Tool[] = [
  {
    name: 'bold',
    label: 'compose.bold',
    icon: Bold,
    keys: 'Control+B',
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    label: 'compose.italic',
    icon: Italic,
    keys: 'Control+I',
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: 'bulletList',
    label: 'compose.list',
    icon: List,
    keys: 'Control+Shift+8',
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'orderedList',
    label: 'compose.numbers',
    icon: ListOrdered,
    keys: 'Control+Shift+7',
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'blockquote',
    label: 'compose.quote',
    icon: TextQuote,
    keys: 'Control+Shift+B',
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: 'code',
    label: 'compose.code',
    icon: Code,
    keys: 'Control+E',
    run: (editor) => editor.chain().focus().toggleCode().run(),
  },
];

/** Writes an `@`, as a word of its own. */
function beginMention(editor: Editor): void {
  const before = editor.state.selection.$from.nodeBefore;
  editor
    .chain()
    .focus()
    .insertContent({ type: 'text', text: !before || /\s$/.test(before.textContent) ? '@' : ' @' })
    .run();
}

/** The tool that a key moves to, in reading direction and around both ends; undefined for other keys. */
function nextStop(key: string, { stop, last, dir }: { stop: number; last: number; dir: string }): number | undefined {
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
  return { [forward]: stop === last ? 0 : stop + 1, [back]: stop === 0 ? last : stop - 1, Home: 0, End: last }[key];
}

type Props = {
  editor: Editor | null;
  /** Id of the controlled field. */
  controls: string;
  canMention: boolean;
  isLinking: boolean;
  onLink: () => void;
  onPlain: () => void;
  /** Tools before and after the others, and the name of the button that leads to the plain field. */
  first?: readonly Tool[];
  last?: readonly Tool[];
  plainLabel?: MessageKey;
};

/** Formatting toolbar: one tab stop, arrow keys move between tools. */
export function Toolbar(props: Props) {
  const { editor, controls, canMention, isLinking, onLink, onPlain, first = NONE, last = NONE } = props;
  const { t, dir } = useText();
  const [stop, setStop] = useState(0);
  const active = useActive(editor, first, last);
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const to = nextStop(event.key, { stop, last: buttons.length - 1, dir });
    if (to === undefined) return;
    event.preventDefault();
    setStop(to);
    buttons[to]?.focus();
  };
  const itemOf = ({ name, label, icon, keys, run }: Tool) => ({
    label,
    icon,
    keys,
    isPressed: name === '' ? undefined : active.includes(name),
    press: () => void (editor && run(editor)),
  });
  const items = [
    ...[...first, ...TOOLS].map(itemOf),
    {
      label: 'compose.link' as const,
      icon: LinkIcon,
      keys: 'Control+K',
      isPressed: isLinking || active.includes('link'),
      press: onLink,
    },
    ...(canMention
      ? [
          {
            label: 'compose.mention' as const,
            icon: AtSign,
            keys: undefined,
            isPressed: undefined,
            press: () => void (editor && beginMention(editor)),
          },
        ]
      : []),
    ...last.map(itemOf),
  ];
  return (
    <div
      role="toolbar"
      aria-label={t('compose.tools')}
      aria-controls={controls}
      className="flex flex-wrap items-center gap-x-0.5 border-b border-line p-1"
      onKeyDown={move}
    >
      {items.map((item, position) => (
        <ToolButton key={item.label} {...item} isStop={position === stop} onFocus={() => setStop(position)} />
      ))}
      <button
        type="button"
        tabIndex={stop === items.length ? 0 : -1}
        className="link ms-auto min-h-10 px-2 text-sm"
        onFocus={() => setStop(items.length)}
        onClick={onPlain}
      >
        {t(props.plainLabel ?? 'compose.plain')}
      </button>
    </div>
  );
}

type ButtonProps = Pick<Tool, 'label' | 'icon'> & {
  keys: string | undefined;
  isPressed: boolean | undefined;
  press: () => void;
  /** It is the tab stop. */
  isStop: boolean;
  onFocus: () => void;
};

function ToolButton({ label, icon, keys, isPressed, press, isStop, onFocus }: ButtonProps) {
  const { t } = useText();
  return (
    <button
      type="button"
      tabIndex={isStop ? 0 : -1}
      aria-label={t(label)}
      title={t(label)}
      aria-pressed={isPressed}
      aria-keyshortcuts={keys}
      className="inline-flex min-h-10 min-w-10 items-center justify-center rounded hover:bg-accent-soft aria-pressed:bg-accent-soft aria-pressed:text-accent aria-pressed:inset-ring-2 aria-pressed:inset-ring-accent"
      onFocus={onFocus}
      // Keeps the focus in the text, so that typing can continue.
      onMouseDown={(event) => event.preventDefault()}
      onClick={press}
    >
      <Icon as={icon} size={18} />
    </button>
  );
}

const NONE: readonly Tool[] = [];
const NAMES = [...TOOLS.map(({ name }) => name), 'link'];

/** Names of the nodes and marks at the cursor. */
function useActive(editor: Editor | null, first: readonly Tool[], last: readonly Tool[]): string[] {
  const [active, setActive] = useState('');
  const names = [...NAMES, ...[...first, ...last].map(({ name }) => name)].filter(Boolean).join(' ');
  useEffect(() => {
    if (!editor) return undefined;
    const isActive = (name: string) => {
      const [, node = '', level] = /^([a-z]+)(\d?)$/i.exec(name) ?? [];
      return editor.isActive(node, level ? { level: Number(level) } : {});
    };
    const look = () => setActive(names.split(' ').filter(isActive).join(' '));
    editor.on('transaction', look);
    return () => void editor.off('transaction', look);
  }, [editor, names]);
  return active.split(' ');
}
