import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '#server/config-values.ts';

/** Headers that proxies add. A request with one comes from another machine, even when the proxy runs on this one. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

type Request = Pick<IncomingMessage, 'headers'> & { socket: Pick<IncomingMessage['socket'], 'remoteAddress'> };

/** Whether the connection and the headers show a client on this machine. */
export function isFromThisMachine({ socket, headers }: Request): boolean {
  const address = socket.remoteAddress ?? '';
  const isNear = ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
  return isNear && FORWARDED.every((name) => headers[name] === undefined);
}

/** Whether the Host header names this machine by a loopback name. */
export function asksForThisMachine({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return isLoopback(URL.parse(`http://${headers.host}`)?.hostname ?? '');
}
