import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `open` all goes through; `shut` connections are refused; `stalled` they are taken, and nothing happens; `mute` what is
 * sent arrives, and no answer comes back; `lossy` nothing passes in either direction and nothing is closed, as behind a
 * firewall that drops packets.
 */
export type GateMode = 'open' | 'shut' | 'stalled' | 'mute' | 'lossy';

/** A way to a port of this machine, which fails as networks fail and can be led elsewhere, as a virtual address is. */
export type Gate = {
  port: number;
  /**
   * Ends the connections there are, but for those that become lossy or were: what was under way on them is gone for good,
   * and the two ends are told no more than that the other one has closed, once packets pass again.
   */
  set(mode: GateMode): void;
  /** Leads new connections to this port, and ends those there are. */
  leadTo(port: number): void;
  close(): Promise<void>;
};

type Pair = { caller: Socket; called?: Socket };

export async function openGate(target: number): Promise<Gate> {
  const pairs = new Set<Pair>();
  /** What would follow on these is a stream with a hole. */
  const holed = new WeakSet<Pair>();
  let mode: GateMode = 'open';
  let to = target;

  /** The end of a connection is a packet too. */
  const endHalves = () => {
    for (const pair of pairs) {
      const { caller, called } = pair;
      if (!caller.destroyed && !called?.destroyed) continue;
      caller.destroy();
      called?.destroy();
      pairs.delete(pair);
    }
  };
  const endAll = () => {
    for (const { caller } of pairs) caller.destroy();
    endHalves();
  };
  const keep = (socket: Socket) => {
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => mode !== 'lossy' && endHalves());
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
    if (mode === 'lossy') holed.add(pair);
    if (mode === 'lossy' || mode === 'stalled') return void caller.pause();
    const called = (pair.called = connect(to, 'localhost'));
    keep(called);
    pass(caller, called, () => !holed.has(pair));
    pass(called, caller, () => !holed.has(pair) && mode !== 'mute');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    set(next) {
      if (next === 'lossy') for (const pair of pairs) holed.add(pair);
      else if (mode !== 'lossy') endAll();
      mode = next;
      if (mode !== 'lossy') endHalves();
    },
    leadTo(port) {
      to = port;
      endAll();
    },
    async close() {
      endAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}
