import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxNode } from './sandbox.ts';
import { residentMb } from './watch.ts';

/** Where Node.js opens its inspector on SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list';
/** Collects all garbage and returns the pages to the system, as the product does at start. */
const COLLECT = `gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })`;

type Result = { usedSize?: number; exceptionDetails?: unknown };

/**
 * Memory that a process keeps after a full garbage collection, in MB: V8's heap and resident memory. The process needs
 * `--expose-gc`, and only one on the machine can be inspected at a time. It pauses for some tenths of a second.
 */
export async function keptMemory({ pid }: Pick<SandboxNode, 'pid'>): Promise<{ heapMb: number; residentMb: number }> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorOf());
  await once(socket, 'open');
  try {
    await ask(socket, 1, 'Runtime.evaluate', { expression: COLLECT });
    const { usedSize = NaN } = await ask(socket, 2, 'Runtime.getHeapUsage');
    return { heapMb: usedSize / 1024 ** 2, residentMb: residentMb({ pid }) };
  } finally {
    socket.close();
  }
}

async function inspectorOf(): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[]; // format documented by Node.js
      return target?.webSocketDebuggerUrl ?? '';
    } catch (error) {
      if (tries === 50) throw error; // the signal takes milliseconds
      await pause(100);
    }
  }
}

async function ask(socket: WebSocket, id: number, method: string, params = {}): Promise<Result> {
  socket.send(JSON.stringify({ id, method, params }));
  for (;;) {
    const [{ data }] = (await once(socket, 'message')) as [{ data: string }]; // the inspector sends text
    const answer = JSON.parse(data) as { id?: number; result: Result };
    if (answer.id !== id) continue; // an event, not the response
    if (answer.result.exceptionDetails) throw new Error(`${method}: ${data}`);
    return answer.result;
  }
}
