import type { Locale } from '@officium/i18n/locales';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { loaders, urls } from 'virtual:messages';

/** As bundled: a text without arguments is a string, any other its syntax tree. */
export type CompiledMessages = Record<string, string | MessageFormatElement[]>;
export type Messages = Record<string, MessageFormatElement[]>;

/** Where the browser finds the texts of a locale. */
export function messagesUrl(locale: Locale): string {
  return urls[locale];
}

/** The texts of a locale; imported on the server, fetched in the browser. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  if (import.meta.env.SSR) return expand((await loaders[locale]()).default);
  // Same mode as the preload link in the head, or the browser would fetch it twice.
  const response = await fetch(urls[locale], { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`no texts for ${locale}: ${response.status}`);
  return expand((await response.json()) as CompiledMessages); // our own asset, written by messages-plugin.ts
}

function expand(compiled: CompiledMessages): Messages {
  const messages: Messages = {};
  for (const [key, text] of Object.entries(compiled)) {
    messages[key] = typeof text === 'string' ? [{ type: 0, value: text }] : text;
  }
  return messages;
}
