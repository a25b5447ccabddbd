import { SITE_PAGES, SiteIdentity, type SitePageKind } from '@officium/contract/site';
import type { Logger } from 'pino';
import type { Db } from '#server/db/client.ts';
import { type Accent, accentOf } from './accent.ts';

/** The site's current name, texts, colour, links and pages. */
export type Site = Omit<SiteIdentity, 'name' | 'accent'> & {
  /** The newest version; 0 before the first change. */
  version: number;
  name: string;
  accent: Accent | null;
  /** The pages that the site has written itself, with their languages. */
  pages: Partial<Record<SitePageKind, string[]>>;
};

/** The name in force: PROVIDER_NAME wins over the one chosen in the administration. */
export type NameSettings = { providerName: string; isNameSet: boolean };

export type SiteStore = {
  /** The site as this process last read it. */
  current(): Site;
  /** Reads it again. */
  refresh(): Promise<void>;
};

export function nameOf({ providerName, isNameSet }: NameSettings, identity: SiteIdentity): string {
  return isNameSet ? providerName : (identity.name ?? providerName);
}

/** The identity in a stored version. One that cannot be read, as from an archive, counts as empty. */
export function identityOf(stored: unknown): SiteIdentity {
  return SiteIdentity.catch(SiteIdentity.parse({})).parse(stored);
}

async function readSite(db: Db, settings: NameSettings): Promise<Site> {
  const [row, pages] = await Promise.all([
    db
      .selectFrom('site_versions')
      .select(['version', 'identity'])
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('site_page_versions')
      .distinctOn(['kind', 'locale'])
      .select(['kind', 'locale', (eb) => eb('body', 'is not', null).as('is_shown')])
      .orderBy('kind')
      .orderBy('locale')
      .orderBy('version', 'desc')
      .execute(),
  ]);
  const identity = identityOf(row?.identity ?? {});
  const shown = pages.filter(({ is_shown }) => is_shown);
  return {
    ...identity,
    version: row?.version ?? 0,
    name: nameOf(settings, identity),
    accent: identity.accent === null ? null : accentOf(identity.accent),
    pages: Object.fromEntries(
      SITE_PAGES.flatMap((kind) => {
        const locales = shown.filter((page) => page.kind === kind).map(({ locale }) => locale);
        return locales.length === 0 ? [] : [[kind, locales]];
      }),
    ),
  };
}

/** Reads the site once; every process reads it again when a change is announced. */
export async function openSite(db: Db, settings: NameSettings, log: Logger): Promise<SiteStore> {
  let site = await readSite(db, settings);
  return {
    current: () => site,
    async refresh() {
      try {
        site = await readSite(db, settings);
      } catch (error) {
        // The next announcement or start reads it; until then pages show the former one.
        log.warn({ err: error }, 'reading the name and texts of the site failed');
      }
    },
  };
}
