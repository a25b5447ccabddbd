/** Flags that mark a deleted account, with the sibling field that holds the name. */
const NAME_BY_FLAG = { isDeleted: 'name', isPersonDeleted: 'by', isActorDeleted: 'actorName' } as const;
const FLAGGED = /"is(?:Person|Actor)?Deleted"\s*:\s*true/;

/**
 * Parses an API reply. The API gives every deleted account the same English name; this replaces it with the one in the
 * language of the page, so that no page can forget to.
 */
export async function parseReply(text: string, nameOfDeleted: () => Promise<string>): Promise<unknown> {
  if (!FLAGGED.test(text)) return JSON.parse(text);
  const name = await nameOfDeleted();
  return JSON.parse(text, (_, value: unknown) => {
    if (isFields(value))
      for (const [flag, field] of Object.entries(NAME_BY_FLAG)) if (value[flag] === true) value[field] = name;
    return value;
  });
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
