import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Node } from './installation.ts';
import { residentMb } from './watch.ts';

/** Where Node.js listens for an inspector when it is sent SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list';
/** Collects all there is to collect and gives the pages back to the system, as a start does. */
const GIVE_BACK = `gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })`;

type Result = { usedSize?: number; exceptionDetails?: unknown };

/**
 * What a process keeps once all garbage is collected, in MB: of V8's heap, and resident in all. One that is started with
 * `--expose-gc`, and only one on the machine at a time. It does nothing else for some tenths of a second.
 */
export async function keptMemory({ pid }: Pick<Node, 'pid'>): Promise<{ heapMb: number; residentMb: number }> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorOf());
  await once(socket, 'open');
  try {
    await ask(socket, 1, 'Runtime.evaluate', { expression: GIVE_BACK });
    const { usedSize = NaN } = await ask(socket, 2, 'Runtime.getHeapUsage');
    return { heapMb: usedSize / 1024 ** 2, residentMb: residentMb({ pid }) };
  } finally {
    socket.close();
  }
}

async function inspectorOf(): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[]; // as Node.js documents it
      return target?.webSocketDebuggerUrl ?? '';
    } catch (error) {
      if (tries === 50) throw error; // the signal is answered within milliseconds
      await pause(100);
    }
  }
}

async function ask(socket: WebSocket, id: number, method: string, params = {}): Promise<Result> {
  socket.send(JSON.stringify({ id, method, params }));
  for (;;) {
    const [{ data }] = (await once(socket, 'message')) as [{ data: string }]; // the inspector speaks text
    const answer = JSON.parse(data) as { id?: number; result: Result };
    if (answer.id !== id) continue; // of something that happened, not of what was asked
    if (answer.result.exceptionDetails) throw new Error(`${method}: ${data}`);
    return answer.result;
  }
}
