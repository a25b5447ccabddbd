import { eraseAgain } from '#server/areas/auth/erasure.service.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { ArchiveReader } from './archive-reader.format.ts';
import { type ExportedAll, exportAllTo } from './export-all.service.ts';
import { type ImportedAll, importAll } from './import-all.service.ts';
import type { Progress } from '#server/areas/importing/progress.policy.ts';

/** Writes an archive with everything, also passwords and second factors, and reads it back to verify each checksum. */
export async function backUp(ctx: Ctx, path: string, tell?: Progress): Promise<ExportedAll & { file: string }> {
  const exported = await exportAllTo(ctx, path, { withSecrets: true, ...(tell && { tell }) });
  const reader = await ArchiveReader.open(exported.file);
  await reader.close();
  return exported;
}

export type Restored = ImportedAll & { erasedAgain: number };

/**
 * Reads a backup, all or nothing, after each checksum was verified; then repeats the erasures that were made since.
 * `replaces` allows an installation that is not empty, and removes what it holds.
 */
export async function restore(
  ctx: Ctx,
  file: string,
  { replaces, tell }: { replaces: boolean; tell?: Progress },
): Promise<Restored> {
  const imported = await importAll(ctx, file, { replaces, ...(tell && { tell }) });
  await recordAction(ctx.db, 'system', {
    action: 'archive.restore-backup',
    object: 'installation',
  });
  return { ...imported, erasedAgain: await eraseAgain(ctx) };
}
