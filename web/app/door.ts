import { createContext } from 'react-router';
import type { Locale } from '@officium/i18n/locales';

export type ApiRequest = { method: string; path: string; body?: unknown; headers?: Record<string, string> };
export type ApiResponse = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

/** Who is looking at the page. */
export type Viewer = {
  id: string;
  name: string;
  role: string;
  locale: string;
  thumbnail: string | null;
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
  /** Settled once per request by api.ts. */
  viewer?: Promise<Viewer | null>;
  locale?: Promise<Locale>;
};

export const doorContext = createContext<Door>();
