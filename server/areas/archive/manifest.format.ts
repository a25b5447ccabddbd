import { z } from 'zod';

export const MANIFEST_FILE = 'manifest.json';
export const ARCHIVE_FORMAT = 'officium-export';
/** Rises when an archive of an earlier version can no longer be read. */
export const ARCHIVE_VERSION = 1;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.int().nonnegative();

export const ArchiveFile = z.strictObject({
  path: z.string(),
  bytes: Count,
  sha256: Sha256,
  /** The number of lines, for files of records. */
  records: Count.optional(),
});
export type ArchiveFile = z.output<typeof ArchiveFile>;

export const Manifest = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  version: Count,
  /** The version of the product that wrote the archive. */
  product: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** The time of the snapshot: nothing later is in the archive. */
  madeAt: z.iso.datetime(),
  publicUrl: z.string(),
  files: z.array(ArchiveFile),
});
export type Manifest = z.output<typeof Manifest>;

/** Compares versions such as 0.1.0: negative if the first is older. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number));
  for (const nth of [0, 1, 2]) {
    const difference = (first?.[nth] ?? 0) - (second?.[nth] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
