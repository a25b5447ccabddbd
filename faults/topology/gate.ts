import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A way from a port of its own to another port, which can be led elsewhere, as a virtual address is, and on which
 * packets can be lost: `drop` passes nothing in either direction and closes nothing, as a firewall that drops does.
 */
export type Gate = {
  port: number;
  /** Leads new connections to this port, and ends those there are. */
  leadTo(port: number): void;
  drop(): void;
  /** Passes what comes from now on; connections that were there while packets were lost stay dead. */
  pass(): void;
  close(): Promise<void>;
};

/** Opens a way to a port of this machine. */
export async function openGate(target: number): Promise<Gate> {
  const pairs = new Set<[Socket, Socket]>();
  let isDropping = false;
  let to = target;

  const endAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    // A packet that is dropped makes no connection either; TCP would say so only after minutes.
    if (isDropping) {
      client.pause();
      const pair: [Socket, Socket] = [client, client];
      pairs.add(pair);
      client.on('close', () => pairs.delete(pair));
      return;
    }
    const upstream = connect(to, '127.0.0.1');
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    upstream.on('error', () => client.destroy());
    for (const [from, into] of [pair, [upstream, client]] as const) {
      from.on('data', (chunk) => {
        if (isDropping || lost.has(pair)) return;
        if (into.write(chunk)) return;
        from.pause();
        into.once('drain', () => from.resume());
      });
      from.on('close', () => {
        pairs.delete(pair);
        // The end of a connection is a packet too.
        if (!isDropping && !lost.has(pair)) into.destroy();
      });
    }
  });
  /** Pairs of which something was lost: what follows would be a stream with a hole. */
  const lost = new WeakSet<[Socket, Socket]>();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    port: (server.address() as AddressInfo).port, // listening on TCP
    leadTo(port) {
      to = port;
      endAll();
    },
    drop() {
      isDropping = true;
      for (const pair of pairs) lost.add(pair);
    },
    pass() {
      isDropping = false;
    },
    async close() {
      endAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}
