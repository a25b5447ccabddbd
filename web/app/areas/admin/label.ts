/** Turns the name of an upload into its stored label: lower-case letters, digits and hyphens. */
export function labelOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const label = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100);
  return label || 'upload';
}
