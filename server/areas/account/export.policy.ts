/** Days an export is kept. Must match the default of the `expires_at` column. */
export const EXPORT_DAYS = 7;

/** File key of an export, which is only served to its owner. */
export function exportKey(id: string): string {
  return `exports/${id}.zip`;
}
