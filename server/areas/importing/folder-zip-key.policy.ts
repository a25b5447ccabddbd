/** The key of an import's ZIP among the files. Nothing is served by it. */
export function zipKey(importId: string): string {
  return `content-imports/${importId}.zip`;
}
