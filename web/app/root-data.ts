import type { Viewer } from './door.ts';
import type { Flash } from './form/flash.ts';

export type Theme = 'auto' | 'light' | 'dark';

/** What the frame of every page shows. */
export type RootData = {
  viewer: Viewer | null;
  inbox: { unread: number } | null;
  origin: string;
  theme: Theme;
  flash: Flash | null;
};
