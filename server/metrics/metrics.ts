import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '#server/config.ts';
import type { Measurements } from './measurements.ts';
import { isSameSecret } from '#server/access/secret.ts';
import { asksForThisMachine, isFromThisMachine } from '#server/access/this-machine.ts';

type Setting = Pick<Config, 'metricsPort' | 'metricsToken'>;

function hasToken({ headers }: IncomingMessage, expected: string): boolean {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && isSameSecret(expected, token);
}

/**
 * Whether the main port serves metrics to this caller: never beside a separate port, else with the token or from this
 * machine.
 */
export function servesMetrics({ metricsPort, metricsToken }: Setting, request: IncomingMessage): boolean {
  if (metricsPort !== undefined) return false;
  // The name is checked too, because a page of another site can have its own name resolve to this machine.
  const isOwn = isFromThisMachine(request) && asksForThisMachine(request);
  return metricsToken === undefined ? isOwn : hasToken(request, metricsToken);
}

/**
 * Serves `GET /metrics` on a separate port, to everybody who can reach it; with METRICS_TOKEN, to callers with the
 * token.
 */
export function createMetricsServer({ metricsToken }: Setting, measurements: Measurements, log: Logger): Server {
  return createServer((request, response) => {
    const isAllowed = metricsToken === undefined || hasToken(request, metricsToken);
    if (request.method !== 'GET' || request.url !== '/metrics' || !isAllowed) {
      response.writeHead(404).end();
      return;
    }
    measurements.text().then(
      (text) => response.writeHead(200, { 'content-type': measurements.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'metrics collection failed');
        response.writeHead(500).end();
      },
    );
  });
}
