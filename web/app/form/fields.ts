/** A submitted field as text; empty when missing. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/** An optional field; undefined when empty. */
export function optionalOf(fields: FormData, name: string): string | undefined {
  return textOf(fields, name).trim() || undefined;
}
