import { findPeople } from '@officium/contract/admin-people';
import type { Api } from '../../server/api.ts';
import type { Viewer } from '../../server/page-context.ts';

/** A person filter of the audit log: the text of the search box, the id it stands for, or people to choose from. */
export type Sought = {
  text: string;
  id: string | undefined;
  candidates: { id: string; name: string; email: string }[];
};

/** People shown when a name is ambiguous. */
const CANDIDATES = 8;
/** Ids, services and the system, which are searched as they are. */
const EXACT = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|system|service:.+)$/;

/**
 * Reads `<name>` (an id) and `<name>Text` (the text of its search box) from the address. An unchanged text keeps the id; a
 * new one is searched among people, and taken as an id when it matches nobody. Only administrators may search people.
 */
export async function soughtIn(
  api: Api,
  url: URL,
  name: 'actor' | 'object',
  viewer: Pick<Viewer, 'role'>,
): Promise<Sought> {
  const given = (key: string) => (url.searchParams.get(key) ?? '').trim().slice(0, 200);
  const [id, text, shown] = [given(name), given(`${name}Text`), given(`${name}Shown`)];
  const isUnchanged = !url.searchParams.has(`${name}Text`) || (id !== '' && text === shown);
  if (isUnchanged) return { text: shown || id, id: id || undefined, candidates: [] };
  const isExact = text === '' || EXACT.test(text) || viewer.role !== 'administrator';
  if (isExact) return { text, id: text || undefined, candidates: [] };
  const { people } = await api(findPeople, { query: { match: text, limit: String(CANDIDATES) } });
  const [first, second] = people;
  if (!first) return { text, id: text, candidates: [] };
  if (second) return { text, id: undefined, candidates: people.map(({ id, name, email }) => ({ id, name, email })) };
  return { text: first.name, id: first.id, candidates: [] };
}

/** The parameters that stand for a found person or object in addresses. */
export function paramsOf(name: 'actor' | 'object', { id, text }: Pick<Sought, 'id' | 'text'>): [string, string][] {
  if (!id) return [];
  return text === id
    ? [[name, id]]
    : [
        [name, id],
        [`${name}Shown`, text],
      ];
}
