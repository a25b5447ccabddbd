import type { Viewer } from './server/page-context.ts';
import type { SiteLogo, SitePageKind } from '@officium/contract/site';
import type { Locale } from '@officium/i18n/locales';
import type { Flash } from './form/flash.ts';

export type Theme = 'auto' | 'light' | 'dark';

/** The parts of the site that every page shows, in one language. */
export type FrameSite = {
  version: number;
  name: string;
  note: Words | null;
  links: { label: Words; url: string }[];
  contact: string | null;
  logo: SiteLogo | null;
  logoDark: SiteLogo | null;
  hasAccent: boolean;
  /** The languages it offers, in the order of menus. */
  languages: readonly Locale[];
  pages: SitePageKind[];
};

/** A text with its language. */
export type Words = { text: string; lang: Locale };

/** Data for the frame of every page. */
export type RootData = {
  viewer: Viewer | null;
  inbox: { unread: number } | null;
  origin: string;
  theme: Theme;
  flash: Flash | null;
  site: FrameSite;
  /** The notices of this page. */
  notices: PageNotice[];
};

/** A notice in one language. */
export type PageNotice = { key: string; level: 'information' | 'warning'; words: Words; url: string | null };
