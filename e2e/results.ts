import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes figures of a test file for accessibility.ts, which sets the folder. */
export async function record(name: string, figures: Record<string, number | string>): Promise<void> {
  const folder = process.env['ACCESSIBILITY_FIGURES'];
  if (folder) await writeFile(join(folder, `${name}.json`), JSON.stringify(figures));
}
