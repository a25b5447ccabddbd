/** The filters of the report in the address, without empty ones. */
export type ReportFilter = Partial<Record<(typeof FILTERS)[number], string>>;

const FILTERS = ['cohort', 'country', 'organization', 'from', 'to'] as const;

export function filterOf(url: URL): ReportFilter {
  const given = FILTERS.flatMap((name) => {
    const value = url.searchParams.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}
