import { Parser } from 'htmlparser2';

// SVG is a document that can run scripts and fetch files. Of a logo only shapes, gradients and their styles are kept;
// a file with anything else that could act is refused as a whole.

const SVG = 'http://www.w3.org/2000/svg';
const MAX_ELEMENTS = 10_000;
const MAX_DEPTH = 60;

const words = (list: string) => list.trim().split(/\s+/);

const ELEMENTS = new Set(
  words(`svg g defs symbol use title desc path rect circle ellipse line polyline polygon
    linearGradient radialGradient stop clipPath mask pattern style`),
);

/** Notes of drawing programs, which show nothing. */
const DROPPED = new Set(['metadata']);

const ATTRIBUTES = new Set(
  words(`xmlns version id class style transform viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry
    fx fy fr d points pathLength offset href xlink:href fill fill-rule fill-opacity stroke stroke-width stroke-opacity
    stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset color opacity display visibility
    clip-path clip-rule clipPathUnits mask mask-type maskUnits maskContentUnits gradientUnits gradientTransform
    spreadMethod patternUnits patternContentUnits patternTransform stop-color stop-opacity vector-effect paint-order
    shape-rendering color-interpolation enable-background xml:space overflow isolation mix-blend-mode type`),
);

const isOwnReference = (value: string) => /^#[\w.:-]+$/.test(value.trim());

/** Whether a style or a paint loads nothing: each `url(…)` is a part of this file, and nothing is escaped or imported. */
function isHarmlessStyle(text: string): boolean {
  if (/[\\@]|expression|javascript:|image-set|image\(|src\(/i.test(text)) return false;
  const urls = text.match(/url\s*\(/gi) ?? [];
  const own = text.match(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi) ?? [];
  return urls.length === own.length;
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

class Refused extends Error {}

/** Writes the kept parts of a drawing; throws at the first part that a logo may not have. */
class LogoWriter {
  readonly #parts: string[] = [];
  readonly #open: string[] = [];
  #elements = 0;
  /** The text of the open style sheet. The parser hands over text in parts, so that a part may hide what the whole says. */
  #sheet = '';
  /** Depth of the dropped element that the parser is in. */
  #dropped = 0;

  open(name: string, attributes: Record<string, string>): void {
    if (this.#dropped > 0 || DROPPED.has(name) || name.includes(':')) {
      this.#dropped += 1;
      return;
    }
    if (!ELEMENTS.has(name)) throw new Refused(name);
    if ((this.#elements === 0) !== (name === 'svg' && this.#open.length === 0)) throw new Refused('root');
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS || this.#open.length >= MAX_DEPTH) throw new Refused('size');
    if (this.#elements === 1 && attributes['xmlns'] !== SVG) throw new Refused('namespace');
    this.#open.push(name);
    const kept = Object.entries(attributes).flatMap(([attribute, value]) => keptAttribute(attribute, value));
    this.#parts.push(`<${[name, ...kept].join(' ')}>`);
  }

  close(): void {
    if (this.#dropped > 0) {
      this.#dropped -= 1;
      return;
    }
    const name = this.#open.pop();
    if (name === 'style') {
      if (!isHarmlessStyle(this.#sheet)) throw new Refused('style');
      this.#parts.push(escape(this.#sheet));
      this.#sheet = '';
    }
    this.#parts.push(`</${name}>`);
  }

  text(text: string): void {
    if (this.#dropped > 0) return;
    const within = this.#open.at(-1);
    if (within === 'style') this.#sheet += text;
    else if (within === 'title' || within === 'desc') this.#parts.push(escape(text));
    else if (text.trim() !== '') throw new Refused('text');
  }

  /** `<!DOCTYPE …>` may name a standard; one with declarations of its own may define entities. */
  instruction(data: string): void {
    if (/^!DOCTYPE\s+svg\b[^[\]]*$/i.test(data) || /^\?xml\s[^<>]*$/i.test(data)) return;
    throw new Refused('instruction');
  }

  finish(): string | undefined {
    return this.#elements > 0 && this.#open.length === 0 ? this.#parts.join('') : undefined;
  }
}

function keptAttribute(name: string, value: string): string[] {
  if (/^on/i.test(name)) throw new Refused(name);
  if (!ATTRIBUTES.has(name)) return [];
  const isReference = name === 'href' || name === 'xlink:href';
  if (isReference ? !isOwnReference(value) : name !== 'xmlns' && !isHarmlessStyle(value)) throw new Refused(name);
  // Prefixes are dropped, so that no namespace of the file needs a declaration.
  return [`${isReference ? 'href' : name}="${escape(value)}"`];
}

/** The drawing with shapes and styles only; undefined for anything but an SVG that is harmless as a whole. */
export function cleanSvg(bytes: Uint8Array): string | undefined {
  const writer = new LogoWriter();
  try {
    const source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (/<!ENTITY|<!ELEMENT|<!ATTLIST|<\?xml-stylesheet/i.test(source)) return undefined;
    const parser = new Parser(
      {
        onopentag: (name, attributes) => writer.open(name, attributes),
        onclosetag: () => writer.close(),
        ontext: (text) => writer.text(text),
        onprocessinginstruction: (_name, data) => writer.instruction(data),
      },
      { xmlMode: true, decodeEntities: true },
    );
    parser.end(source);
    return writer.finish();
  } catch (error) {
    // Not UTF-8, or refused.
    if (error instanceof Refused || error instanceof TypeError) return undefined;
    throw error;
  }
}
