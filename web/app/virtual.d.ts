declare module 'virtual:light' {
  /** Address of the bundled app/light/script.ts; empty in the browser. */
  export const script: string;
}

declare module 'virtual:messages' {
  import type { Locale } from '@officium/i18n/locales';
  import type { CompiledMessages } from './messages.ts';

  type Part = 'common' | 'admin';
  export const urls: Record<Part, Record<Locale, string>>;
  /** Empty in the browser. */
  export const loaders: Record<Part, Record<Locale, () => Promise<{ default: CompiledMessages }>>>;
}
