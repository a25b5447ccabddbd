import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** A file in memory in each encoding; `tag` identifies its content. */
export type Asset = { type: string; tag: string; plain: Buffer; br?: Buffer; gzip?: Buffer; cacheControl: string };

/** Serves a built folder from memory (a few MB), in the encoding prepared by compress-assets.ts. */
export async function serveAssets(app: FastifyInstance, directory: string): Promise<void> {
  for (const [path, asset] of readAssets(directory)) {
    app.get(path, { config: { web: true, asset: true }, logLevel: 'warn' }, (request, reply) =>
      sendAsset(asset, request, reply),
    );
  }
}

function readAssets(directory: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of files) {
    const file = `${entry.parentPath}/${entry.name}`;
    const type = TYPES[extname(file)];
    const path = `/${relative(directory, file).split(sep).join('/')}`;
    if (!type || path.startsWith('/.')) continue;
    assets.set(path, readAsset(file, { type, cacheControl: cacheControlOf(path) }));
  }
  return assets;
}

export function readAsset(file: string, options: Pick<Asset, 'type' | 'cacheControl'>): Asset {
  const { mtimeMs, size } = statSync(file);
  return {
    ...options,
    tag: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`,
    plain: readFileSync(file),
    br: readIfThere(`${file}.br`),
    gzip: readIfThere(`${file}.gz`),
  };
}

function cacheControlOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  // A new release takes over through the service worker.
  return path === '/sw.js' ? 'no-cache' : 'public, max-age=3600';
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined; // too small or not worth compressing
  }
}

export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => asset[name] && accepts(accepted, name));
  // Strong tags identify bytes, and each encoding has different ones.
  const etag = `"${asset.tag}${encoding ? `-${encoding}` : ''}"`;
  reply.header('content-type', asset.type).header('cache-control', asset.cacheControl).header('etag', etag);
  if (asset.br || asset.gzip) reply.header('vary', 'Accept-Encoding');
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return encoding ? reply.header('content-encoding', encoding).send(asset[encoding]) : reply.send(asset.plain);
}

function accepts(header: string, encoding: string): boolean {
  return header
    .split(',')
    .map((part) => part.toLowerCase().replaceAll(' ', '').split(';'))
    .some(([name, quality]) => name === encoding && !/^q=0(?:\.0*)?$/.test(quality ?? ''));
}

/** Weak comparison, as If-None-Match requires: proxies weaken tags. */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
