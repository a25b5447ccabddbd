import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `open` all goes through; `shut` connections are refused; `stalled` they are taken, and nothing happens; `mute` what is
 * sent arrives, and no answer comes back.
 */
export type GateMode = 'open' | 'shut' | 'stalled' | 'mute';

/** Stands before a server of this machine, and fails as networks fail. A change ends the connections there are. */
export async function startGate(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let mode: GateMode = 'open';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((caller) => {
    keep(caller);
    if (mode === 'shut') return void caller.destroy();
    if (mode === 'stalled') return void caller.pause();
    const called = connect(target);
    keep(called);
    caller.pipe(called);
    if (mode === 'open') called.pipe(caller);
    else called.resume();
    caller.on('close', () => called.destroy());
    called.on('close', () => caller.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    set(next: GateMode) {
      mode = next;
      end();
    },
    async close() {
      end();
      await new Promise((closed) => server.close(closed));
    },
  };
}
