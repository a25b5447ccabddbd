import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { API_REFERENCE } from './api-reference-file.ts';
import { compressAssets } from './compress-assets.ts';

/** A tenth larger than at the highest quality, and ten seconds faster. */
const QUALITY = 9;

/** Copies the script out of the package, as its plugin serves it, so that startup need not load the package. */
export async function buildApiReference(): Promise<void> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference does not serve its script: ${statusCode}`);
  await mkdir(dirname(API_REFERENCE), { recursive: true });
  // The package does not ship the source map.
  await writeFile(API_REFERENCE, body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  await compressAssets(dirname(API_REFERENCE), QUALITY);
}

if (import.meta.main) await buildApiReference();
