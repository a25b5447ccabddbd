import { fileKeyOf } from '#server/areas/account/picture.policy.ts';
import { fileOf } from '#server/areas/catalogue/stored-asset.view.ts';

export const RECORDS = 'records/';
export const CONTENT = 'content/';
export const FILES = 'files/';

export function recordsPath(file: string): string {
  return `${RECORDS}${file}.ndjson`;
}

/** The key and media type of a stored file by its path in the archive; undefined for a path that no archive has. */
export function storedFileOf(path: string): { key: string; mime: string } | undefined {
  const [, folder = '', name = ''] = /^files\/(profiles|content-assets)\/([^/]+)$/.exec(path) ?? [];
  if (folder === 'profiles') {
    const key = fileKeyOf(name);
    return key === undefined ? undefined : { key, mime: 'image/webp' };
  }
  const stored = folder === 'content-assets' ? fileOf(name) : undefined;
  return stored && { key: stored.file, mime: stored.mime };
}

/** `officium-export-2026-11-27.zip`, or `officium-backup-…` for one with secrets. */
export function archiveName(madeAt: Date, { withSecrets = false } = {}): string {
  return `officium-${withSecrets ? 'backup' : 'export'}-${madeAt.toISOString().slice(0, 10)}.zip`;
}
