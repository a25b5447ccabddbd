/** As what a picture is shown: a face is small. */
export type PictureUse = 'face' | 'whole';

/** Maps the address of a picture to the signed path that serves it. */
export type ShownFrom = (address: string, use: PictureUse) => string;

const ENTITIES: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>' };
const decode = (text: string) => text.replace(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
const encode = (text: string) => text.replace(/[&"'<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** HTML of the server's, whose pictures begin with their address. */
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
/** Data of a client's own: whatever it means by these names. */
const ASIDE = new Set(['additional_data']);

/**
 * Has a page show the pictures of an answer of the API from this site, so that no other site learns who reads what.
 * Changes the answer.
 */
export function showFromHere<T>(answer: T, shownFrom: ShownFrom): T {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields = answer as Record<string, unknown>; // a list has its places
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
