import type { Viewer } from './server/page-context.ts';
import type { FrameSite } from './site.ts';
import type { Flash } from './form/flash.ts';

export type Theme = 'auto' | 'light' | 'dark';

/** Data for the frame of every page. */
export type RootData = {
  viewer: Viewer | null;
  inbox: { unread: number } | null;
  origin: string;
  theme: Theme;
  flash: Flash | null;
  site: FrameSite;
};
