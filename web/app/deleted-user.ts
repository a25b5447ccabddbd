/** Each flag that marks a deleted account, with the sibling field that holds the person's name. */
const NAME_BY_FLAG = { isDeleted: 'name', isPersonDeleted: 'by', isActorDeleted: 'actorName' } as const;
const FLAGGED = /"is(?:Person|Actor)?Deleted"\s*:\s*true/;

/**
 * Reads an answer of the API, which gives every deleted account the same English name, and puts the name in the
 * language of the page instead. Done here, no page can forget it.
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
