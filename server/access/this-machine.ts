import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '#server/config-values.ts';

/** Proxies add these. A request with one of them comes from elsewhere, though the proxy may be on this machine. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

type Request = Pick<IncomingMessage, 'headers'> & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> };

/** The client is on this machine, as far as the connection and the headers tell. */
export function isFromThisMachine({ socket, headers }: Request): boolean {
  const address = socket.remoteAddress ?? '';
  const isNear = ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
  return isNear && FORWARDED.every((name) => headers[name] === undefined);
}

/** The client asked for this machine by a name that leads nowhere else. */
export function asksForThisMachine({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return isLoopback(URL.parse(`http://${headers.host}`)?.hostname ?? '');
}
