import { Parser } from 'htmlparser2';
import { isAllowedTag, isSafeUrl } from '#server/text/allow-list.ts';

/** Attributes that rendering adds to any element. */
const ATTRIBUTES =
  /^(?:lang|dir|title|href|src|alt|width|height|start|align|colspan|rowspan|id|class|rel|target|loading|decoding|tabindex|role|open|download|aria-[a-z]+)$/;

const ANY = /^/;
const EMPTY = /^$/;
/** An address on this site. */
const OWN = /^\/(?![/\\])/;
const MEDIA = { src: OWN, controls: EMPTY, preload: /^metadata$/, 'aria-label': ANY };

/** Elements that rendering adds to the allowed ones, with their only attributes. Questions and recordings consist of them. */
const ADDED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  div: {
    id: /^quiz-[^\s]+-result$/,
    class: ANY,
    role: /^(?:region|note|status)$/,
    tabindex: /^-?\d$/,
    'aria-label': ANY,
    lang: ANY,
    dir: ANY,
  },
  bdi: { class: ANY },
  figure: { class: /^(?:media|embed)$/ },
  figcaption: {},
  video: { ...MEDIA, playsinline: EMPTY, poster: OWN },
  audio: MEDIA,
  track: { kind: /^captions$/, src: OWN, srclang: ANY, label: ANY, default: EMPTY },
  form: { class: /^quiz$/, id: /^quiz-/, method: /^post$/, action: /^#quiz-/ },
  fieldset: {},
  legend: {},
  label: { class: /^quiz-(?:option|field|match|place)$/ },
  select: { name: /^place$/ },
  textarea: { name: /^text$/, rows: /^\d+$/, maxlength: /^\d+$/ },
  option: { value: /^\d*$/, label: ANY },
  button: { type: /^submit$/, class: /^needs-network$/ },
};

/** The fields of a question. A form of a page does what its `intent` says, so an archive brings no other. */
const FIELDS: readonly Readonly<Record<string, RegExp>>[] = [
  { type: /^hidden$/, name: /^intent$/, value: /^answer$/ },
  { type: /^hidden$/, name: /^(?:quiz|revision)$/, value: ANY },
  { type: /^(?:radio|checkbox)$/, name: /^choice$/, value: /^\d+$/ },
  { type: /^text$/, name: /^(?:text|gap)$/, maxlength: /^\d+$/, autocomplete: /^off$/, inputmode: /^decimal$/ },
  { type: /^number$/, name: /^place$/, min: /^1$/, max: /^\d+$/ },
];

type Attributes = Readonly<Record<string, string>>;

/** Whether each attribute is one of these, with a value that fits. */
function fits(attributes: Attributes, shape: Readonly<Record<string, RegExp>>): boolean {
  return Object.entries(attributes).every(([name, value]) => Object.hasOwn(shape, name) && shape[name]?.test(value));
}

function isStorableElement(name: string, attributes: Attributes): boolean {
  if (name === 'input') return FIELDS.some((shape) => fits(attributes, shape));
  if (Object.hasOwn(ADDED, name)) return fits(attributes, ADDED[name] ?? {});
  return (
    isAllowedTag(name) &&
    Object.entries(attributes).every(
      ([attribute, value]) =>
        ATTRIBUTES.test(attribute) &&
        (attribute !== 'href' || isSafeUrl(value, 'link')) &&
        (attribute !== 'src' || isSafeUrl(value, 'image')),
    )
  );
}

/** True for HTML that rendering could have made. Pages show it as it is, so an archive must not bring any other. */
export function isStorableHtml(html: string): boolean {
  let isGood = true;
  const parser = new Parser({
    onopentag: (name, attributes) => void (isGood &&= isStorableElement(name, attributes)),
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
