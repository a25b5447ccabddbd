/** The total of a list of which one page was read; counts only when the page does not show where the list ends. */
export async function totalOf(
  { limit, offset }: { limit: number; offset: number },
  rows: readonly unknown[],
  count: () => Promise<number>,
): Promise<number> {
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  return isLast ? offset + rows.length : await count();
}
