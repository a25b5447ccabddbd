const PAGE = 100;
/** As far as an offset goes. */
const MOST = 10_000;

/** The rows of a list from all of its pages, for a file. */
export async function allOf<Row>(read: (paged: { limit: string; offset: string }) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; offset <= MOST; offset += PAGE) {
    const page = await read({ limit: String(PAGE), offset: String(offset) });
    rows.push(...page);
    if (page.length < PAGE) break;
  }
  return rows;
}
