/** A field of a form as text; empty when it was not sent. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/** A field that may be left empty: undefined then. */
export function optionalOf(fields: FormData, name: string): string | undefined {
  return textOf(fields, name).trim() || undefined;
}
