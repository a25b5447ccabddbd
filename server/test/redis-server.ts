import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { freePort } from './process.ts';

const PROGRAM = ['/usr/bin/redis-server', '/usr/bin/valkey-server'].find((path) => existsSync(path));

export const hasRedis = PROGRAM !== undefined;

export type RedisServer = {
  url: string;
  /** Kills the server; `start` starts an empty one on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Connected but unresponsive until `thaw`. */
  freeze(): void;
  thaw(): void;
};

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  return await new Promise((answer) => {
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  }).then((is) => {
    socket.destroy();
    return is === true;
  });
}

/** A local Redis or Valkey without persistence. */
export async function startRedis(password = 'p%40ss word'): Promise<RedisServer> {
  const port = await freePort();
  const launch = () =>
    spawn(
      PROGRAM ?? '',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--requirepass', password],
      { stdio: 'ignore', cwd: '/' },
    );
  let server = launch();
  const start = async () => {
    if (server.exitCode !== null || server.signalCode !== null) server = launch();
    while (!(await isListening(port))) await new Promise((later) => setTimeout(later, 20));
  };
  await start();
  return {
    url: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/3`,
    start,
    async kill() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGKILL');
      await ended;
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
  };
}
