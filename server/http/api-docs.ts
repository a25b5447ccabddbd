import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ENDPOINTS } from '@officium/contract/services';
import type { FastifyInstance } from 'fastify';
import { API_REFERENCE } from '../../web/api-reference-file.ts';
import { readAsset, sendAsset, type Asset } from '../../web/assets.ts';
import { encodings } from '../../web/compress-assets.ts';
import type { Ctx } from '../ctx.ts';
import { VERSION } from '../version.ts';
import { docsPage, DOCS_STYLE, type Document } from './docs-page.ts';
import { DOCS_SHELL, DOCS_START } from './docs-shell.ts';
import { openApiDocument } from './openapi.ts';
import { publishedDocument } from './openapi-published.ts';
import { allowOwnMarkup } from './safe-headers.ts';
import { sessionCookieName } from './session.ts';

const CACHE_CONTROL = 'public, max-age=300';
/** Quality 6 compresses two megabytes in a third of a second, on a worker thread. */
const BROTLI_QUALITY = 6;

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

async function assetOf(type: string, text: string): Promise<Asset> {
  const plain = Buffer.from(text);
  return {
    type,
    tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    plain,
    ...(await encodings(plain, BROTLI_QUALITY)),
    cacheControl: CACHE_CONTROL,
  };
}

/** The API's documentation: the OpenAPI document, the reference rendered from it, and a page that needs no script. */
export function apiDocsRoutes(app: FastifyInstance, ctx: Ctx): void {
  // Each is built once, on the first request, since most processes never serve it.
  const document = once(() =>
    openApiDocument(ENDPOINTS, {
      url: ctx.config.publicUrl,
      version: VERSION,
      cookie: sessionCookieName(ctx.config),
    }),
  );
  const assets: Record<string, () => Promise<Asset>> = {
    '/api/openapi.json': once(() =>
      assetOf('application/json; charset=utf-8', JSON.stringify(publishedDocument(document()))),
    ),
    '/api/docs/plain': once(
      () => assetOf('text/html; charset=utf-8', docsPage(document() as unknown as Document)), // the same document, in the page's type
    ),
    '/api/docs.css': once(() => assetOf('text/css; charset=utf-8', DOCS_STYLE)),
    '/api/docs/start.js': once(() => assetOf('text/javascript; charset=utf-8', DOCS_START)),
  };
  for (const [path, asset] of Object.entries(assets))
    app.get(path, async (request, reply) => sendAsset(await asset(), request, reply));

  app.get('/api/docs', async (_, reply) =>
    allowOwnMarkup(reply)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(DOCS_SHELL),
  );
  const reference = once(() =>
    readAsset(API_REFERENCE, { type: 'text/javascript; charset=utf-8', cacheControl: CACHE_CONTROL }),
  );
  app.get('/api/docs/reference.js', async (request, reply) => {
    if (!existsSync(API_REFERENCE)) return reply.callNotFound();
    return sendAsset(reference(), request, reply);
  });
}
