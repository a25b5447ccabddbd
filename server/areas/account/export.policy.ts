/** An export is kept so many days. The column's default says the same. */
export const EXPORT_DAYS = 7;

/** The key of an export among the files. Nothing is served by it but to the export's owner. */
export function exportKey(id: string): string {
  return `exports/${id}.zip`;
}
