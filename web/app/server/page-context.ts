import type { Readable } from 'node:stream';
import { createContext } from 'react-router';
import type { Capability } from '@officium/contract/capabilities';
import type { LocalizedText } from '@officium/contract/common';
import type { NoticeLevel } from '@officium/contract/site-notices';
import type { SiteLogo, SitePageKind } from '@officium/contract/site';
import type { Locale } from '@officium/i18n/locales';
import type { ShownFrom } from './pictures.ts';

export type ApiRequest = { method: string; path: string; body?: unknown; headers?: Record<string, string> };
export type ApiResponse = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

/** The viewer of the page: the reply of readSession, contract/auth.ts. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  role: 'inactive' | 'non-public-servant' | 'public-servant' | 'administrator';
  locale: Locale;
  /** Whether the viewer chose `locale`, or it is our default. */
  localeChosen: boolean;
  thumbnail: string | null;
  /** The e-mail address is not confirmed yet. */
  limited: boolean;
  /** Sign-ins need a second factor. */
  secondFactor: boolean;
  /** The requirement for an administrator or holder of roles without a second factor. */
  secondFactorDue: 'required' | 'screens' | 'optional' | null;
  /** The capabilities of the account's roles in some place; administrators have all. */
  capabilities: Capability[];
  /** An administrator who sees the site as a learner in this cohort, or in none. */
  preview?: { cohort: string | null };
};

/** The site's name, texts, colour and links in all languages, as server/site/site.ts reads them. */
export type PageSite = {
  version: number;
  name: string;
  note: LocalizedText;
  headline: LocalizedText;
  lead: LocalizedText;
  links: readonly { label: LocalizedText; url: string }[];
  contact: string | null;
  logo: SiteLogo | null;
  /** For dark pages, in place of `logo`. */
  logoDark: SiteLogo | null;
  /** A colour of its own, which `/site.css` sets. */
  accent: object | null;
  /** The languages it offers, in the order of menus. */
  languages: readonly Locale[];
  defaultLanguage: Locale;
  pages: Partial<Record<SitePageKind, readonly string[]>>;
  /** Those that have not ended, latest start first. */
  notices: readonly {
    id: string;
    version: number;
    level: NoticeLevel;
    audience: 'everyone' | 'signed-in';
    texts: LocalizedText;
    url: string | null;
    startsAt: Date;
    endsAt: Date | null;
  }[];
};

/** Context of one page request. mount.ts creates it; loaders and actions reach it through api.ts. */
export type PageContext = {
  /** Calls the API in-process as this visitor. Cookies set by the API are passed on to the browser. */
  send: (request: ApiRequest) => Promise<ApiResponse>;
  cookies: Record<string, string | undefined>;
  nonce: string | undefined;
  /** Origin of PUBLIC_URL, for canonical and shared addresses. */
  origin: string;
  isDev: boolean;
  shownFrom: ShownFrom;
  /** The name, texts and colours of the site. */
  site: PageSite;
  /** Logs a failure of a loader, an action or a render. */
  report: (error: unknown) => void;
  /** The document stream. Sent directly, because the body of a Response would pass through two more streams. */
  page?: Readable;
  /** The page is rendered without the application, so it shows a visitor without a session. */
  isLight?: boolean;
  /** Resolved once per request by api.ts. */
  viewer?: Promise<Viewer | null>;
  locale?: Promise<Locale>;
};

export const pageContext = createContext<PageContext>();
