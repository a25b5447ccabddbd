/** PostgreSQL stores neither NUL nor unpaired surrogates. Check input before using it. */
export function isUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (Array.isArray(value)) return value.some(isUnstorable);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, inner]) => isUnstorable(key) || isUnstorable(inner));
  return false;
}

export const UNSTORABLE = 'Text must not contain null characters or unpaired surrogates';

export const MAX_NESTING = 100;

/** Iterates level by level, because recursing into a deeply nested value would overflow the stack. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
