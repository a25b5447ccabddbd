import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';

export const VERSION = '0.1.0';

/** Written when the pages are built. */
const STAMP = fileURLToPath(new URL('../web/build/stamp', import.meta.url));

/** When the pages that are served were built; undefined where they are made as they are asked for. */
export async function builtAt(): Promise<Date | undefined> {
  return (await stat(STAMP).catch(() => undefined))?.mtime;
}

export const LISTENER = 'officium-listen';

/** What a process calls itself to the database, on the one connection it has for listening. At most 63 bytes. */
export function listenerName(role: string): string {
  return `${LISTENER} ${role} ${process.pid} ${hostname().slice(0, 30)}`;
}

/** What such a name says. */
export function readListenerName(name: string): { role: string; pid: number | null; host: string | null } {
  const [, role = 'all', pid, host] = name.split(' ');
  return { role, pid: pid ? Number(pid) : null, host: host ?? null };
}
