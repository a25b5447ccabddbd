import { Parser } from 'htmlparser2';
import { expect } from 'vitest';
import { isAllowedTag, isSafeUrl } from '../text/allow-list.ts';

const ADDED_TAGS = new Set(['div', 'bdi', 'figure', 'figcaption', 'video', 'audio', 'track']);
/** The elements of a question, exactly as it writes them. */
const FORM =
  /<form class="quiz" id="quiz-[^"<>]+" method="post" action="#quiz-[^"<>]+-result">|<\/form>|<\/?fieldset>|<\/?legend>|<label class="quiz-(?:option|field|match|place)">|<\/label>|<input type="hidden" name="(?:intent|quiz|revision)" value="[^"<>]*">|<input type="(?:radio|checkbox)" name="choice" value="\d+">|<input type="text" name="(?:text|gap)" maxlength="500" autocomplete="off"(?: inputmode="decimal")?>|<input type="number" name="place" min="1" max="\d+">|<textarea name="text" rows="8" maxlength="20000"><\/textarea>|<select name="place">|<\/select>|<option value="\d*" label="[^"<>]*"><\/option>|<button type="submit" class="needs-network">|<\/button>/g;
const ATTRIBUTES = new Set([
  'href',
  'rel',
  'src',
  'alt',
  'title',
  'width',
  'height',
  'loading',
  'lang',
  'dir',
  'id',
  'class',
  'role',
  'tabindex',
  'aria-label',
  'align',
  'colspan',
  'rowspan',
  'start',
]);
const MEDIA_ATTRIBUTES = new Set('controls preload playsinline poster kind srclang label default download'.split(' '));
const CLASSES =
  /^(table-scroll|aside|embed|embed-link|mention|math|task|task-mark|accordion|callout callout-(note|tip|warning|example)|callout-title|steps|columns?|tabs?|reflect|reflect-title|needs-network|quiz|quiz-(more|hint|help|option|field|match|place|result|offline( saved-only)?)|media|transcript|file|file-facts)$/;

/** Expects that rendered Markdown has no element, attribute or address but ours. */
export function expectSafe(rendered: string): void {
  const parser = new Parser({
    onopentag(name, attributes) {
      expect(isAllowedTag(name) || ADDED_TAGS.has(name), `<${name}> in ${rendered}`).toBe(true);
      for (const [attribute, value] of Object.entries(attributes)) {
        const isOpen = attribute === 'open' && name === 'details';
        const isOfMedia = /^(?:video|audio|track|a)$/.test(name) && MEDIA_ATTRIBUTES.has(attribute);
        expect(isOpen || isOfMedia || ATTRIBUTES.has(attribute), `${attribute} in ${rendered}`).toBe(true);
        if (['href', 'src', 'poster'].includes(attribute)) expect(isSafeUrl(value, 'link'), value).toBe(true);
        if (attribute === 'id') expect(value).toMatch(/^[sp]-|^quiz-[^"]+-result$/);
        if (attribute === 'class') expect(value).toMatch(CLASSES);
      }
    },
    oncomment: (comment) => expect.fail(`comment ${comment}`),
    onprocessinginstruction: (name) => expect.fail(`instruction ${name}`),
  });
  parser.end(rendered.replace(FORM, ''));
}

/** Expects that each element of rendered Markdown ends within the element that contains it. */
export function expectBalanced(rendered: string): void {
  const open: string[] = [];
  for (const [tag, slash, name = ''] of rendered.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (/^<(?:br|hr|img|input|track)\b/.test(tag)) continue;
    if (slash === '') open.push(name);
    else expect(open.pop(), `${tag} in ${rendered}`).toBe(name);
  }
  expect(open, rendered).toEqual([]);
}
