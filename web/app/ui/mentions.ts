const TAG = /(<[^>]*>)/;
const MENTION = /\{\{([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}\}/gi;

/**
 * Turns `{{uuid}}` in the text of sanitised HTML into a link to that user, or `@unknown` when there is no name.
 * Attributes stay unchanged; inside a link or code the name is plain text.
 */
export function linkMentions(html: string, people: Readonly<Record<string, string>>, unknown: string): string {
  if (!html.includes('{{')) return html;
  let plainDepth = 0;
  return html
    .split(TAG)
    .map((part) => {
      if (part.startsWith('<')) {
        if (/^<(?:a|code|pre)\b/i.test(part)) plainDepth++;
        else if (/^<\/(?:a|code|pre)\b/i.test(part)) plainDepth--;
        return part;
      }
      return part.replace(MENTION, (_, uuid: string) => {
        const id = uuid.toLowerCase();
        const name = Object.hasOwn(people, id) ? people[id] : undefined;
        if (!name) return `@${escapeHtml(unknown)}`;
        const label = `@<bdi>${escapeHtml(name)}</bdi>`;
        return plainDepth > 0 ? label : `<a class="mention" href="/people/${id}">${label}</a>`;
      });
    })
    .join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Names of mentioned users, by id. */
export function namesOf(mentioned: Readonly<Record<string, { id: string; name: string }>>): Record<string, string> {
  return Object.fromEntries(Object.values(mentioned).map(({ id, name }) => [id, name]));
}
