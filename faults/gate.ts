import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../server/test/process.ts';

/**
 * `open` passes everything; `shut` refuses connections; `stalled` accepts them and passes nothing; `mute` passes
 * requests and drops responses; `lossy` drops both directions without closing, like a firewall that drops packets.
 */
export type GateMode = 'open' | 'shut' | 'stalled' | 'mute' | 'lossy';

/** A proxy for a local port that fails as networks fail and can be redirected, like a virtual IP. */
export type Gate = {
  port: number;
  /**
   * Closes existing connections, except those that become or were lossy: their data in flight is lost for good, and
   * each end only learns that the other closed once packets pass again.
   */
  set(mode: GateMode): void;
  /** Redirects new connections to this port and closes existing ones. */
  redirectTo(port: number): void;
  close(): Promise<void>;
};

type Pair = { caller: Socket; called?: Socket };

export async function openGate(target: number): Promise<Gate> {
  const pairs = new Set<Pair>();
  /** Pairs that lost bytes; anything passed on now would leave a gap in the stream. */
  const damaged = new WeakSet<Pair>();
  let mode: GateMode = 'open';
  let to = target;

  /** A FIN is a packet too, so a lossy gate does not pass it. */
  const closeHalfOpen = () => {
    for (const pair of pairs) {
      const { caller, called } = pair;
      if (!caller.destroyed && !called?.destroyed) continue;
      caller.destroy();
      called?.destroy();
      pairs.delete(pair);
    }
  };
  const closeAll = () => {
    for (const { caller } of pairs) caller.destroy();
    closeHalfOpen();
  };
  const keep = (socket: Socket) => {
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => mode !== 'lossy' && closeHalfOpen());
  };
  const pass = (from: Socket, into: Socket, passes: () => boolean) => {
    from.on('data', (chunk) => {
      if (!passes() || into.write(chunk)) return;
      from.pause();
      into.once('drain', () => from.resume());
    });
  };
  const server = createServer((caller) => {
    keep(caller);
    if (mode === 'shut') return void caller.destroy();
    const pair: Pair = { caller };
    pairs.add(pair);
    if (mode === 'lossy') damaged.add(pair);
    if (mode === 'lossy' || mode === 'stalled') return void caller.pause();
    const called = (pair.called = connect(to, 'localhost'));
    keep(called);
    pass(caller, called, () => !damaged.has(pair));
    pass(called, caller, () => !damaged.has(pair) && mode !== 'mute');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    port: portOf(server),
    set(next) {
      if (next === 'lossy') for (const pair of pairs) damaged.add(pair);
      else if (mode !== 'lossy') closeAll();
      mode = next;
      if (mode !== 'lossy') closeHalfOpen();
    },
    redirectTo(port) {
      to = port;
      closeAll();
    },
    async close() {
      closeAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}
