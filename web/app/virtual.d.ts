declare module 'virtual:messages' {
  import type { Locale } from '@officium/i18n/locales';
  import type { CompiledMessages } from './messages.ts';

  export const urls: Record<Locale, string>;
  /** Filled on the server only. */
  export const loaders: Record<Locale, () => Promise<{ default: CompiledMessages }>>;
}
