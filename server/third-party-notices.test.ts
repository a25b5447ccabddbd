import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { productionPackages, thirdPartyNotices } from './third-party-notices.ts';

type Locked = { version: string; license?: string; dev?: boolean; link?: boolean; optional?: boolean };

/** Licences that require no notice. */
const SILENT = new Set(['0BSD', 'MIT-0', 'Unlicense']);
const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>; // npm's own format
};
const locked = Object.entries(lock.packages).filter(
  ([path, { dev, link, license }]) => path.includes('node_modules/') && !dev && !link && !SILENT.has(license ?? ''),
);
const folders = productionPackages();
const notices = thirdPartyNotices(folders);

describe('THIRD-PARTY-NOTICES', () => {
  it('names every installed production package of the lock file, with its version', () => {
    const missing = locked.filter(([path, { version, optional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const isInstalled = folders.some((folder) => folder.endsWith(`/${path}`));
      // Only binaries for other systems are not installed.
      return isInstalled ? !new RegExp(`^${name} ${version}(?:,|$)`, 'm').test(notices) : !optional;
    });
    expect(missing).toEqual([]);
    expect(locked.length).toBeGreaterThan(400);
  });

  it('contains the licence of Node.js, and of libvips with the texts the LGPL requires', () => {
    expect(notices).toContain(`Node.js ${process.version}`);
    expect(notices).toMatch(/^@img\/sharp-libvips-[\w-]+ .*LGPL-3\.0-or-later/m);
    expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(notices).toContain('GNU GENERAL PUBLIC LICENSE\n                       Version 3');
    expect(notices).toContain('| libvips       | LGPLv3');
  });

  it('contains a licence text for every package, even one that only names its licence', () => {
    expect(notices).toMatch(/^fontkit [\d.]+, MIT, Devon Govett/m);
    expect(() => thirdPartyNotices(folders)).not.toThrow();
  });
});
