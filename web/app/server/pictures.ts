/** How a picture is used: an avatar (`face`) is small. */
export type PictureUse = 'face' | 'whole';

/** Maps a picture address to the signed path that serves it. */
export type ShownFrom = (address: string, use: PictureUse) => string;

const ENTITIES: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>' };
const decode = (text: string) => text.replace(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
const encode = (text: string) => text.replace(/[&"'<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Rewrites server HTML, whose `img` tags start with their address. */
function inHtml(html: string, shownFrom: ShownFrom): string {
  if (!html.includes('<img ')) return html;
  return html.replace(
    /<img src="([^"]*)"/g,
    (_, address: string) => `<img src="${encode(shownFrom(decode(address), 'whole'))}"`,
  );
}

const FACES = new Set(['thumbnail', 'full']);
const HTML = new Set(['html', 'bodyHtml']);
const COVERS = new Set(['cover', 'coverImage']);
/** Client data, which may use the same names with another meaning. */
const ASIDE = new Set(['additional_data']);

/**
 * Rewrites an API reply so that pages load its pictures from this site and no other site learns what viewers read.
 * Changes the reply in place.
 */
export function showFromHere<T>(answer: T, shownFrom: ShownFrom): T {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields = answer as Record<string, unknown>; // a list's fields are its indexes
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (typeof value === 'string') {
      if (HTML.has(name)) fields[name] = inHtml(value, shownFrom);
      else if (FACES.has(name)) fields[name] = shownFrom(value, 'face');
    } else if (value && !ASIDE.has(name)) {
      if (COVERS.has(name)) showCover(value, shownFrom);
      showFromHere(value, shownFrom);
    }
  }
  return answer;
}

function showCover(cover: { url?: unknown }, shownFrom: ShownFrom): void {
  if (typeof cover.url === 'string') cover.url = shownFrom(cover.url, 'whole');
}
