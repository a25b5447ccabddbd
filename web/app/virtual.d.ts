declare module 'virtual:help' {
  import type { HelpPage } from './areas/help/help.ts';

  /** Empty in the browser. */
  export const pages: readonly HelpPage[];
  /** The version of the product that they describe. */
  export const version: string;
}

declare module 'virtual:light' {
  /** Address of the bundled app/light/script.ts; empty in the browser. */
  export const script: string;
}

declare module 'virtual:messages' {
  import type { Locale } from '@officium/i18n/locales';
  import type { CompiledMessages } from './messages.ts';

  type Part = 'common' | 'admin' | 'editor';
  export const urls: Record<Part, Record<Locale, string>>;
  /** Empty in the browser. */
  export const loaders: Record<Part, Record<Locale, () => Promise<{ default: CompiledMessages }>>>;
}
