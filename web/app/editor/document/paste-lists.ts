/** The name of style attributes while a paste is cleaned. */
export const STYLE = 'data-style';

/** Paragraphs of Word that look like a list: their style names the level, a hidden mark says which list it is. */
const WORD_ITEM = `p[${STYLE}*="mso-list:"], p.MsoListParagraph, p[class^="MsoListParagraphCx"]`;
const ORDERED = /^\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})[.)]/i;

/** Makes lists of the paragraphs in which Word writes the items of a list. */
export function nestItems(body: HTMLElement): void {
  let open: HTMLElement[] = [];
  let last: Element | null = null;
  for (const paragraph of body.querySelectorAll<HTMLElement>(WORD_ITEM)) {
    const style = paragraph.getAttribute(STYLE) ?? '';
    const mark = markOf(paragraph);
    if (mark === undefined && !/mso-list:\s*l\d/.test(style)) continue; // only indented
    const level = Math.min(6, Math.max(1, Number(/level(\d)/.exec(style)?.[1] ?? 1)));
    const tag = ORDERED.test(mark ?? '') ? 'ol' : 'ul';
    const continues = last !== null && paragraph.previousElementSibling === last;
    open = continues ? open.slice(0, level) : [];
    if (open.at(level - 1) && open.at(level - 1)?.localName !== tag) open = open.slice(0, level - 1);
    while (open.length < level) {
      const list = body.ownerDocument.createElement(tag);
      const outer = open.at(-1);
      if (outer) (outer.lastElementChild ?? outer.appendChild(body.ownerDocument.createElement('li'))).append(list);
      else paragraph.before(list);
      open.push(list);
    }
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)?.append(item);
    paragraph.remove();
    last = open[0] ?? null;
  }
}

/** Removes the mark that Word writes before an item, and returns it. */
function markOf(paragraph: HTMLElement): string | undefined {
  const written = [...paragraph.querySelectorAll<HTMLElement>(`[${STYLE}*="mso-list"]`)].find((each) =>
    /mso-list:\s*ignore/i.test(each.getAttribute(STYLE) ?? ''),
  );
  written?.remove();
  return written?.textContent?.trim();
}

/** Google Docs writes a list inside a list beside the item that it belongs to. */
export function nestLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    const item = list.previousElementSibling;
    if (item?.localName === 'li') item.append(list);
    else {
      const made = body.ownerDocument.createElement('li');
      list.replaceWith(made);
      made.append(list);
    }
  }
}
