/** The storage key of an import's ZIP. It is never served. */
export function zipKey(importId: string): string {
  return `content-imports/${importId}.zip`;
}
