import { parseInert } from '../../trusted.ts';
import { nestItems, nestLists, STYLE } from './paste-lists.ts';
import { plainAddress } from './plain-address.ts';

/** A pasted fragment without what Word and Google Docs add, and the number of pictures that were left out. */
export type CleanPaste = { html: string; pictures: number };

const DROPPED =
  'style, script, meta, link, title, xml, head, noscript, template, iframe, object, svg, [hidden], ' +
  `.MsoCommentReference, .MsoCommentText, [${STYLE}*="mso-element:comment"], [id^="_com_"], del, .msoDel`;
const KEPT_ATTRIBUTES = new Set(['href', 'align', 'start']);
/** Elements whose text would otherwise run into the text beside it. */
const BLOCKS = 'p, div, li, ul, ol, table, h1, h2, h3, h4, h5, h6, blockquote, pre, section, article';

/** Cleans pasted HTML: headings, lists, tables, links and emphasis stay; styles, comments and empty spans go. */
export function cleanPaste(html: string): CleanPaste {
  const page = parseInert(withoutStyles(html));
  removeComments(page);
  const { body } = page;
  // Word hides what it only keeps for itself.
  for (const element of body.querySelectorAll<HTMLElement>(DROPPED)) element.remove();
  for (const element of body.querySelectorAll<HTMLElement>(`[${STYLE}]`))
    if (/mso-hide:\s*all|display:\s*none/.test(element.getAttribute(STYLE) ?? '')) element.remove();
  const pictures = removePictures(body);
  nestItems(body);
  nestLists(body);
  for (const title of body.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const element of body.querySelectorAll<HTMLElement>(`[${STYLE}], b, i`)) emphasise(element);
  for (const link of body.querySelectorAll('a')) cleanLink(link);
  for (const table of body.querySelectorAll('table')) cleanTable(table);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')].toReversed()) strip(element);
  const texts = page.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  // Rows of fixed spaces are for the eye.
  while (texts.nextNode())
    texts.currentNode.nodeValue = texts.currentNode.nodeValue?.replace(/[ \u00A0]{2,}/g, ' ') ?? '';
  return { html: body.innerHTML, pictures };
}

/** Renames style attributes, which browsers would report as violations of the Content Security Policy. */
function withoutStyles(html: string): string {
  const rename = (tag: string) => tag.replace(/(\s)style(\s*=)/gi, `$1${STYLE}$2`);
  return html.replace(/<style\b.*?<\/style\s*>/gis, '').replace(/<[^<>]*>/g, rename);
}

function removeComments(page: Document): void {
  const walker = page.createTreeWalker(page, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

/** Removes pictures, whose files stay where they were copied. Spacers of mails are not counted. */
function removePictures(body: HTMLElement): number {
  const pictures = [...body.querySelectorAll('img, v\\:imagedata')];
  for (const picture of pictures) picture.remove();
  return pictures.filter((each) => Number(each.getAttribute('width') ?? 2) > 1).length;
}

/** Turns styles that mean something into elements; `b` around a whole text of Google Docs means nothing. */
function emphasise(element: HTMLElement): void {
  const style = (element.getAttribute(STYLE) ?? '').toLowerCase();
  // Word also writes `mso-bidi-font-weight`, which is about other scripts.
  const weight = /(?:^|[;\s])font-weight:\s*(\w+)/.exec(style)?.[1];
  const slant = /(?:^|[;\s])font-style:\s*(\w+)/.exec(style)?.[1];
  const isHeading = /^H\d$/.test(element.tagName) || element.closest('h1, h2, h3, h4, h5, h6') !== null;
  if (/^(?:normal|[1-4]00)$/.test(weight ?? '') && /^(?:B|STRONG)$/.test(element.tagName)) return unwrap(element);
  if (slant === 'normal' && /^(?:I|EM)$/.test(element.tagName)) return unwrap(element);
  if (element.matches(`:is(${BLOCKS}, td, th, tr):not(p)`) || element.textContent?.trim() === '') return;
  if (!isHeading && /^(?:bold|bolder|[5-9]00)$/.test(weight ?? '')) wrap(element, 'strong');
  if (slant === 'italic') wrap(element, 'em');
  if (/text-decoration[^;]*line-through/.test(style)) wrap(element, 's');
  if (/font-family:[^;]*(?:courier|consolas|monospace)/.test(style) && element.tagName === 'SPAN')
    wrap(element, 'code');
}

function cleanLink(link: HTMLAnchorElement): void {
  const address = plainAddress(link.getAttribute('href') ?? '');
  if (address === undefined || link.textContent?.trim() === '') return unwrap(link);
  link.setAttribute('href', address);
}

/** A cell has one line of text, every row as many cells, and the first row is the head: as Markdown has it. */
function cleanTable(table: HTMLTableElement): void {
  const width = Math.max(0, ...[...table.rows].map(({ cells }) => cells.length));
  for (const [index, row] of [...table.rows].entries()) {
    while (row.cells.length < width) row.insertCell();
    for (const cell of row.cells) {
      for (const inner of cell.querySelectorAll('table')) inner.replaceWith(inner.textContent ?? '');
      for (const block of [...cell.querySelectorAll(BLOCKS)].toReversed()) {
        if (block.nextSibling && block.textContent?.trim()) block.after(' ');
        unwrap(block);
      }
      for (const line of cell.querySelectorAll('br')) line.replaceWith(' ');
      if (index === 0) rename(cell, 'th');
    }
  }
}

/** Removes attributes, and elements that say nothing without them. */
function strip(element: HTMLElement): void {
  for (const name of element.getAttributeNames()) if (!KEPT_ATTRIBUTES.has(name)) element.removeAttribute(name);
  const isEmpty = element.textContent?.trim() === '' && element.querySelector('br, hr, td, th') === null;
  if (/^(?:SPAN|FONT|U|SUP|SUB|DIV|SECTION|ARTICLE|CENTER)$/.test(element.tagName) || element.tagName.includes(':')) {
    // A block must stay apart from the text beside it.
    if (element.matches('div, section, article') && element.querySelector(BLOCKS) === null) rename(element, 'p');
    else unwrap(element);
  } else if (isEmpty && element.matches('p, h1, h2, h3, h4, h5, h6, strong, b, em, i, s, code, a, li, ul, ol')) {
    element.replaceWith(element.matches('p, h1, h2, h3, h4, h5, h6, li, ul, ol') ? '' : (element.textContent ?? ''));
  }
}

function wrap(element: Element, tag: string): void {
  const made = element.ownerDocument.createElement(tag);
  made.append(...element.childNodes);
  element.append(made);
}

function rename(element: Element, tag: string): void {
  const made = element.ownerDocument.createElement(tag);
  made.append(...element.childNodes);
  element.replaceWith(made);
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}
