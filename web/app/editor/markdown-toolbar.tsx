import {
  Bold,
  ChevronsUpDown,
  CircleHelp,
  Footprints,
  Heading2,
  Italic,
  Lightbulb,
  Link2,
  List,
  ListOrdered,
  Keyboard,
  TextCursorInput,
  ArrowDownNarrowWide,
  Cable,
  PenLine,
  Quote,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { useText } from '../text.tsx';
import { Icon } from '../ui/icon.tsx';
import { type BlockName, insertBlock } from './markdown-blocks.ts';
import { type Change, mark, MARKS, type Mark } from './markdown-marks.ts';
import { useTemplateWords } from './template-words.ts';

const ICONS: Record<Mark | BlockName, LucideIcon> = {
  bold: Bold,
  italic: Italic,
  heading: Heading2,
  link: Link2,
  list: List,
  numbers: ListOrdered,
  quote: Quote,
  callout: Lightbulb,
  accordion: ChevronsUpDown,
  steps: Footprints,
  quiz: CircleHelp,
  typed: Keyboard,
  matching: Cable,
  ordering: ArrowDownNarrowWide,
  gaps: TextCursorInput,
  open: PenLine,
};
const KEYS: Record<string, Mark> = { b: 'bold', i: 'italic', k: 'link' };

type Props = {
  /** Id of the text area. */
  target: string;
  /** The blocks that the text may use. */
  blocks?: readonly BlockName[];
};

/** Buttons that insert Markdown into a text area. Shown only with script. */
export function MarkdownToolbar({ target, blocks = [] }: Props) {
  const { t } = useText();
  const words = useTemplateWords();
  const tools = [...MARKS, ...blocks];
  const isBlock = (tool: Mark | BlockName): tool is BlockName => blocks.some((block) => block === tool);
  const [isReady, setReady] = useState(false);
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    setReady(true);
    const area = areaOf(target);
    const onKey = (event: globalThis.KeyboardEvent) => {
      const kind = KEYS[event.key.toLowerCase()];
      if (!kind || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      press(target, (area) => mark(kind, area.value, area.selectionStart, area.selectionEnd));
    };
    area?.addEventListener('keydown', onKey);
    return () => area?.removeEventListener('keydown', onKey);
  }, [target]);
  if (!isReady) return null;
  // One tab stop; arrow keys move between buttons: https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const step = { [forward]: 1, Home: -current, End: tools.length - 1 - current }[event.key];
    const by = step ?? (event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? -1 : undefined);
    if (by === undefined) return;
    event.preventDefault();
    const next = (current + by + tools.length) % tools.length;
    setCurrent(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      role="toolbar"
      aria-label={t('article.toolbar')}
      aria-controls={target}
      onKeyDown={move}
      className="mb-1.5 flex flex-wrap gap-1"
    >
      {tools.map((kind, index) => (
        <button
          key={kind}
          type="button"
          tabIndex={index === current ? 0 : -1}
          aria-label={t(`article.tool_${kind}`)}
          title={t(`article.tool_${kind}`)}
          onFocus={() => setCurrent(index)}
          onClick={() =>
            press(target, (area) =>
              isBlock(kind)
                ? insertBlock(kind, words, area.value, area.selectionEnd)
                : mark(kind, area.value, area.selectionStart, area.selectionEnd),
            )
          }
          className="inline-flex size-11 items-center justify-center rounded border border-line bg-card hover:border-accent hover:text-accent"
        >
          <Icon as={ICONS[kind]} size={18} />
        </button>
      ))}
    </div>
  );
}

function areaOf(id: string): HTMLTextAreaElement | undefined {
  const element = document.getElementById(id);
  return element instanceof HTMLTextAreaElement ? element : undefined;
}

function press(target: string, changeOf: (area: HTMLTextAreaElement) => Change) {
  const area = areaOf(target);
  if (!area) return;
  const { from, to, text, select } = changeOf(area);
  area.focus();
  area.setSelectionRange(from, to);
  // The only way to insert text that the browser's own undo reverts.
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, from, to);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  area.setSelectionRange(...select);
}
