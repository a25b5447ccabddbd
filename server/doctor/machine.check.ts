import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Config } from '#server/config.ts';
import { builtAt } from '#server/version.ts';
import { advice, type Diagnosis, right, wrong } from './diagnosis.ts';

const NEEDED_NODE = 24;
const LEAST_FILES = 4096;
const MIB = 2 ** 20;
/** A process takes 150 MB idle and 350 MB when busy. */
const LEAST_MIB = 256;
const GOOD_MIB = 400;

export type Machine = { node: string; files: number | undefined; memory: number; isBuilt: boolean };

/** The file limit of this process, which started as the product does; undefined where the system has none to read. */
async function readFileLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

export async function readMachine(): Promise<Machine> {
  const limit = process.constrainedMemory();
  return {
    node: process.versions.node,
    files: await readFileLimit(),
    memory: limit > 0 && limit < totalmem() ? limit : totalmem(),
    isBuilt: (await builtAt()) !== undefined,
  };
}

export function judgeMachine({ node, files, memory, isBuilt }: Machine, { processes, mode }: Config): Diagnosis[] {
  const each = Math.floor(memory / MIB / processes);
  const share = `${each} MiB of memory for each of ${processes} ${processes === 1 ? 'process' : 'processes'}`;
  const fewer = 'Set WEB_PROCESSES lower, or give the machine more memory.';
  return [
    Number.parseInt(node) < NEEDED_NODE
      ? wrong('Node', `${node} is too old`, `Install Node ${NEEDED_NODE} or newer.`)
      : right('Node', node),
    each < LEAST_MIB
      ? wrong('WEB_PROCESSES', share, fewer)
      : each < GOOD_MIB
        ? advice('WEB_PROCESSES', share, fewer)
        : right('WEB_PROCESSES', share),
    ...(files === undefined
      ? []
      : [
          files < LEAST_FILES
            ? wrong(
                'Open files',
                `at most ${files} a process: each visitor and each connection needs one`,
                'Raise it to 65536: LimitNOFILE in systemd, ulimits in Compose, ulimit -n in a shell.',
              )
            : right('Open files', `at most ${files} a process`),
        ]),
    ...(mode === 'production' && !isBuilt
      ? [advice('Pages', 'are not built yet', 'npm start builds them; where it may not write, run npm run build.')]
      : []),
  ];
}
