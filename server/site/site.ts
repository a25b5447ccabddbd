import type { LocalizedText } from '@officium/contract/common';
import type { SiteNotice } from '@officium/contract/site-notices';
import { SITE_PAGES, SiteIdentity, type SitePageKind } from '@officium/contract/site';
import type { Logger } from 'pino';
import { type Db, NOW } from '#server/db/client.ts';
import { LOCALES, type Locale } from '@officium/i18n/locales';
import { type Accent, accentOf } from './accent.ts';

/** The site's current name, texts, colour, links and pages. */
export type Site = Omit<SiteIdentity, 'name' | 'accent' | 'languages'> & {
  /** The newest version; 0 before the first change. */
  version: number;
  name: string;
  accent: Accent | null;
  /** The languages it offers, in the order of menus; the default is one of them. */
  languages: readonly Locale[];
  /** The pages that the site has written itself, with their languages. */
  pages: Partial<Record<SitePageKind, string[]>>;
  /** Notices that have not ended, latest start first. */
  notices: readonly StoredNotice[];
};

/** A notice of the site. Pages show it between its start and its end. */
export type StoredNotice = Pick<SiteNotice, 'id' | 'version' | 'level' | 'audience' | 'url'> & {
  texts: LocalizedText;
  startsAt: Date;
  endsAt: Date | null;
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

/** The languages that the site offers, in the order of menus. */
export function offeredBy({ languages, defaultLanguage }: SiteIdentity): Locale[] {
  return LOCALES.filter((locale) => locale === defaultLanguage || (languages?.includes(locale) ?? true));
}

/** Nobody plans more notices than this. */
const MAX_KEPT_NOTICES = 50;

async function findNotices(db: Db): Promise<StoredNotice[]> {
  return await db
    .selectFrom('site_notices')
    .select(['id', 'version', 'level', 'audience', 'texts', 'url', 'starts_at as startsAt', 'ends_at as endsAt'])
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', NOW)]))
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_KEPT_NOTICES)
    .$narrowType<Pick<StoredNotice, 'level' | 'audience' | 'texts'>>()
    .execute();
}

async function readSite(db: Db, settings: NameSettings): Promise<Site> {
  const [row, pages, notices] = await Promise.all([
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
    findNotices(db),
  ]);
  const identity = identityOf(row?.identity ?? {});
  const shown = pages.filter(({ is_shown }) => is_shown);
  return {
    ...identity,
    version: row?.version ?? 0,
    name: nameOf(settings, identity),
    accent: identity.accent === null ? null : accentOf(identity.accent),
    languages: offeredBy(identity),
    pages: Object.fromEntries(
      SITE_PAGES.flatMap((kind) => {
        const locales = shown.filter((page) => page.kind === kind).map(({ locale }) => locale);
        return locales.length === 0 ? [] : [[kind, locales]];
      }),
    ),
    notices,
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
