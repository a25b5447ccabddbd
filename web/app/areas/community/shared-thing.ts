/** The article that a post shares, or the discussion in a lesson of the course `place`. */
export type SharedThing = {
  kind: 'article' | 'discussion';
  path: string;
  place?: string;
  title: string;
  text: string | null;
  replies?: number;
};

/** Shared things by the id of the post. */
export type SharedThings = ReadonlyMap<string, SharedThing>;

/** The article that a post shares. API clients may write the same data, so only its slug and texts are used. */
export function sharedArticle({ article }: Record<string, unknown>): SharedThing | undefined {
  if (typeof article !== 'object' || article === null) return undefined;
  const { slug, title, subtitle } = article as Record<string, unknown>; // any value of a client
  if (typeof slug !== 'string' || typeof title !== 'string') return undefined;
  const text = typeof subtitle === 'string' ? subtitle : null;
  return { kind: 'article', path: `/articles/${encodeURIComponent(slug)}`, title, text };
}
