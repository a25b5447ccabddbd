import { LESSON_TEXT } from './learner.ts';
import { withoutSpaces } from './passages.ts';

const BLOCKS = ['p', 'li', 'tr', 'pre', 'dd', 'dt', 'figcaption', 'summary', 'h2', 'h3', 'h4', 'h5', 'h6'];
const MARK = 'is-quoted';

/** Prefix of a quotation that is enough to find its start. */
const BEGINNING = 24;

/** The smallest element of the lesson that contains the text. */
function findBlock(wanted: string): HTMLElement | undefined {
  const [block] = [...document.querySelectorAll<HTMLElement>(BLOCKS.map((name) => `#${LESSON_TEXT} ${name}`).join())]
    .filter(({ textContent }) => withoutSpaces(textContent).includes(wanted))
    .sort((one, other) => one.textContent.length - other.textContent.length);
  return block;
}

/**
 * Marks the elements of the lesson that contain the quotation, scrolls the first into view and focuses it. A quotation
 * of a list has one item per line.
 */
export function showPassage(quote: string): boolean {
  const lines = quote.split('\n').map(withoutSpaces);
  const whole = findBlock(withoutSpaces(quote));
  const blocks = whole ? [whole] : lines.map((line) => findBlock(line) ?? findBlock(line.slice(0, BEGINNING)));
  const [first] = blocks;
  if (!first) return false;
  for (const marked of document.querySelectorAll(`.${MARK}`)) marked.classList.remove(MARK);
  for (const block of blocks) block?.classList.add(MARK);
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: 'center' });
  return true;
}
