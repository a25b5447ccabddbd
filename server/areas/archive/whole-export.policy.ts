/** File key of an export of everything, which is only served to the administrator who requested it. */
export function wholeExportKey(id: string): string {
  return `whole-exports/${id}.zip`;
}
