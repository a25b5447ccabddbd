import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { API_REFERENCE } from './api-reference-file.ts';
import { compressAssets } from './compress-assets.ts';

/** A tenth larger than at the highest quality, and ten seconds earlier. */
const QUALITY = 9;

/** Takes the script from the package as its plugin serves it, so that a start need not load the package. */
export async function buildApiReference(): Promise<void> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference serves no script: ${statusCode}`);
  await mkdir(dirname(API_REFERENCE), { recursive: true });
  // Its source map is in no package.
  await writeFile(API_REFERENCE, body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  await compressAssets(dirname(API_REFERENCE), QUALITY);
}

if (import.meta.main) await buildApiReference();
