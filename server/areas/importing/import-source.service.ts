import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Ctx } from '#server/ctx.ts';
import { readContentfulExport } from './contentful-export.format.ts';
import { toCatalogue } from './export-catalogue.format.ts';
import { importExport } from './export-import.service.ts';
import { fetchPictures } from './fetch-pictures.service.ts';
import type { FolderFinding } from './folder.format.ts';
import { readContentFolder } from './folder-reader.format.ts';
import { findCourseSlugs } from './import.repository.ts';
import type { Progress } from './progress.policy.ts';
import { importFolder, ImportRefused, type ImportSummary } from './import.service.ts';

export type ImportOutcome = { summary: ImportSummary | undefined; faults: string[]; warnings: string[] };

/**
 * Imports a content folder or a Contentful export from disk. If there are faults, it returns them and changes nothing.
 */
export async function importPath(ctx: Ctx, path: string, tell?: Progress): Promise<ImportOutcome> {
  const info = await stat(path).catch(() => undefined);
  if (!info) return { summary: undefined, faults: [`${path}: no such file or folder`], warnings: [] };
  try {
    return info.isDirectory() ? await importDirectory(ctx, path, tell) : await importFile(ctx, path);
  } catch (error) {
    if (error instanceof ImportRefused) return { summary: undefined, faults: [error.message], warnings: [] };
    throw error;
  }
}

async function importDirectory(ctx: Ctx, path: string, tell?: Progress): Promise<ImportOutcome> {
  const reading = await readContentFolder(path, { knownCourses: await findCourseSlugs(ctx.db) });
  const outcome = { faults: reading.faults.map(line), warnings: reading.warnings.map(line) };
  if (!reading.folder) return { ...outcome, summary: undefined };
  return {
    ...outcome,
    summary: await importFolder(ctx, reading.folder, reading.assets, { name: basename(path), tell }),
  };
}

async function importFile(ctx: Ctx, path: string): Promise<ImportOutcome> {
  let source: unknown;
  try {
    source = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    return { summary: undefined, faults: [`${basename(path)}: not JSON (${(error as Error).message})`], warnings: [] }; // JSON.parse and fs throw Errors
  }
  const reading = readContentfulExport(source);
  const name = (finding: { id: string; field: string; message: string }) =>
    [basename(path), finding.id, finding.field, finding.message].filter(Boolean).join(' ');
  const outcome = { faults: reading.faults.map(name), warnings: reading.warnings.map(name) };
  if (reading.faults.length > 0) return { ...outcome, summary: undefined };
  const { pictures, missing } = await fetchPictures(ctx, toCatalogue(reading).pictures);
  const { summary, warnings } = await importExport(ctx, reading, { name: basename(path), pictures });
  return { ...outcome, warnings: [...outcome.warnings, ...[...warnings, ...missing].map(name)], summary };
}

function line({ file, line: number, field, message }: FolderFinding): string {
  return `${file}:${number} ${field === '' ? '' : `${field} `}${message}`;
}
