const PAGE = 100;
/** The largest offset the API accepts. */
const MOST = 10_000;

/** Reads every page of a list, for a CSV file. */
export async function allOf<Row>(read: (paged: { limit: string; offset: string }) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; offset <= MOST; offset += PAGE) {
    const page = await read({ limit: String(PAGE), offset: String(offset) });
    rows.push(...page);
    if (page.length < PAGE) break;
  }
  return rows;
}
