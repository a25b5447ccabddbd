import { Parser } from 'htmlparser2';
import { isAllowedTag, isSafeUrl } from '#server/text/allow-list.ts';

/** Elements and attributes that rendering adds to the allowed ones. */
const ADDED_TAGS = new Set(['div', 'bdi', 'figure', 'figcaption']);
/** Recordings, which pages load from this site only. */
const MEDIA_TAGS = new Set(['video', 'audio', 'track']);
const MEDIA_ATTRIBUTES = /^(?:controls|preload|playsinline|poster|kind|srclang|label|default|src|aria-label)$/;
/** The form of a question, which can do nothing but check an answer. */
const FORM_TAGS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  form: { class: /^quiz$/, id: /^quiz-/, method: /^post$/, action: /^#quiz-/ },
  fieldset: {},
  legend: {},
  label: { class: /^quiz-(?:option|field)$/ },
  input: {
    type: /^(?:hidden|radio|checkbox|text)$/,
    name: /^(?:intent|quiz|revision|choice|text)$/,
    value: /^/,
    maxlength: /^\d+$/,
    autocomplete: /^off$/,
    inputmode: /^decimal$/,
  },
  button: { type: /^submit$/, class: /^needs-network$/ },
};
const isOwnAddress = (value: string) => /^\/content-assets\/[^\\]*$/.test(value);
const ATTRIBUTES =
  /^(?:lang|dir|title|href|src|alt|width|height|start|align|colspan|rowspan|id|class|rel|target|loading|decoding|tabindex|role|download|aria-[a-z]+)$/;

/** True for HTML that rendering could have made. Pages show it as it is, so an archive must not bring any other. */
export function isStorableHtml(html: string): boolean {
  let isGood = true;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (MEDIA_TAGS.has(name)) {
        for (const [attribute, value] of Object.entries(attributes))
          if (!MEDIA_ATTRIBUTES.test(attribute) || (/^(?:src|poster)$/.test(attribute) && !isOwnAddress(value)))
            isGood = false;
        return;
      }
      const form = FORM_TAGS[name];
      if (form) {
        if (attributes['name'] === 'intent' && attributes['value'] !== 'answer') isGood = false;
        for (const [attribute, value] of Object.entries(attributes))
          if (form[attribute]?.test(value) !== true) isGood = false;
        return;
      }
      if (!isAllowedTag(name) && !ADDED_TAGS.has(name)) isGood = false;
      for (const [attribute, value] of Object.entries(attributes)) {
        const isOpen = name === 'details' && attribute === 'open' && value === '';
        if (!ATTRIBUTES.test(attribute) && !isOpen) isGood = false;
        if (attribute === 'href' && !isSafeUrl(value, 'link')) isGood = false;
        if (attribute === 'src' && !isSafeUrl(value, 'image')) isGood = false;
      }
    },
    oncomment: () => void (isGood = false),
    onprocessinginstruction: () => void (isGood = false),
  });
  parser.end(html);
  return isGood;
}

/** The texts of a field whose name says that they are HTML, at any depth; `isHtml`: the field itself is. */
export function htmlIn(value: unknown, isHtml: boolean): string[] {
  if (typeof value === 'string') return isHtml ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => htmlIn(item, isHtml));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => htmlIn(item, isHtml || /html/i.test(name)));
}
