import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config.ts';
import { DATA_POLICY, PERMISSIONS } from './bare-headers.ts';

/** The nonces of a page's own scripts and styles; browsers run no others. */
export type Nonces = { script: string; style: string };

declare module 'fastify' {
  interface FastifyReply {
    /** null for API replies, which are never pages. */
    cspNonce: Nonces | null;
  }
  interface FastifyContextConfig {
    /** The route returns data: its headers are always the same. */
    isData?: boolean;
  }
}

/** Our own policy (web/app/trusted.ts), and the editor's for pasted content, which it parses in a separate document. */
const TRUSTED_TYPES = ["require-trusted-types-for 'script'", 'trusted-types officium ProseMirrorClipboard'];

function pagePolicy({ secure }: Pick<Config, 'secure'>, { script, style }: Nonces): string {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${script}'`,
    `style-src 'self' 'nonce-${style}'`,
    `img-src 'self' data:`,
    `media-src 'self'`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `worker-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...TRUSTED_TYPES,
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join(';');
}

/**
 * The headers that Helmet recommends, sent with every answer beside the policy. Helmet's plugin builds them for each
 * request, which takes longer than the rest of a small answer.
 */
function safeHeaders({ secure }: Pick<Config, 'secure'>): Readonly<Record<string, string>> {
  return {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': PERMISSIONS,
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}

const newNonce = () => randomBytes(16).toString('hex');

/**
 * For a page with a library's script that writes styles without a nonce and HTML without a Trusted Types policy. The
 * policy for scripts stays unchanged.
 */
export function allowOwnMarkup(reply: FastifyReply): FastifyReply {
  const policy = String(reply.getHeader('content-security-policy'))
    .split(';')
    .filter((directive) => !TRUSTED_TYPES.includes(directive))
    .join(';');
  return reply.header('content-security-policy', policy.replace(/style-src [^;]+/, `style-src 'self' 'unsafe-inline'`));
}

/** Sets the headers of every answer, and nonces for those that may be pages. */
export function sendSafeHeaders(app: FastifyInstance, config: Pick<Config, 'secure'>): void {
  const headers = safeHeaders(config);
  const dataHeaders = { 'content-security-policy': DATA_POLICY, ...headers };
  app.decorateReply('cspNonce', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.routeOptions.config.isData) reply.headers(dataHeaders);
    else {
      reply.cspNonce = { script: newNonce(), style: newNonce() };
      reply.header('content-security-policy', pagePolicy(config, reply.cspNonce)).headers(headers);
    }
    done();
  });
}
