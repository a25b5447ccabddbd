import { existsSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * True when Linux has an in-memory file system with room for test databases. Each database is a thousand files, and
 * creating and deleting them on ext4 takes a sixth of the processor. Containers often have only 64 MB here.
 */
export function hasRoomInMemory(): boolean {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

/** A new folder for temporary data. The account that PostgreSQL uses as root may enter it. */
export async function scratchFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}
