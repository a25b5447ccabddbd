import type { Readable } from 'node:stream';
import { createContext } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import type { ShownFrom } from './pictures.ts';

export type ApiRequest = { method: string; path: string; body?: unknown; headers?: Record<string, string> };
export type ApiResponse = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

/** Who is looking at the page: the answer of readSession, contract/auth.ts. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  role: 'inactive' | 'non-public-servant' | 'public-servant' | 'administrator';
  locale: Locale;
  /** Whether `locale` is a choice of theirs, or only what we began with. */
  localeChosen: boolean;
  thumbnail: string | null;
  /** The address is not confirmed yet. */
  limited: boolean;
  /** Sign-ins need a second factor. */
  secondFactor: boolean;
  /** Of an administrator without one: what is asked of them. */
  secondFactorDue: 'required' | 'screens' | 'optional' | null;
};

/** What one page request knows of the outside. mount.ts makes it; loaders and actions get at it through api.ts. */
export type Door = {
  /** Calls the API in-process as this visitor; cookies the API sets are passed on to the browser. */
  send: (request: ApiRequest) => Promise<ApiResponse>;
  cookies: Record<string, string | undefined>;
  nonce: string | undefined;
  /** Origin of PUBLIC_URL: what canonical and shared addresses start with. */
  origin: string;
  isDev: boolean;
  shownFrom: ShownFrom;
  /** Records a failure of a loader, an action or a render. */
  report: (error: unknown) => void;
  /** The document, once it is being written: as a body of a Response it would go through two more streams. */
  page?: Readable;
  /** Settled once per request by api.ts. */
  viewer?: Promise<Viewer | null>;
  locale?: Promise<Locale>;
};

export const doorContext = createContext<Door>();
