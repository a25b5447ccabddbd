import type { Locale } from '@officium/i18n/locales';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { loaders, urls } from 'virtual:messages';

/** Bundled format: a string for a message without arguments, else its syntax tree. */
export type CompiledMessages = Record<string, string | MessageFormatElement[]>;
export type Messages = Record<string, MessageFormatElement[]>;

/** Address of the messages of a locale; those of the administration and of the editor are separate files. */
export function messagesUrl(locale: Locale, part: keyof typeof urls = 'common'): string {
  return urls[part][locale];
}

/** Loads the messages of a locale: all of them on the server, those of the page in the browser. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  if (import.meta.env.SSR) {
    const parts = await Promise.all(Object.values(loaders).map((part) => part[locale]()));
    return expand(Object.assign({}, ...parts.map((part) => part.default)) as CompiledMessages); // those of all parts
  }
  const isAdmin = /^\/admin(?:\/|$)/.test(window.location.pathname);
  const [messages] = await Promise.all([
    fetchMessages(locale, 'common'),
    isAdmin ? addMessages(locale, 'admin') : null,
  ]);
  return Object.assign(shown, messages);
}

// A document has one language, so there is one set of messages to extend.
const shown: Messages = {};
const added = new Map<keyof typeof urls, Promise<Messages>>();

/** Loads the messages of a part, such as the administration's before the browser navigates there. */
export async function addMessages(locale: Locale, part: Exclude<keyof typeof urls, 'common'>): Promise<void> {
  const loading = added.get(part) ?? fetchMessages(locale, part);
  added.set(part, loading);
  try {
    Object.assign(shown, await loading);
  } catch (error) {
    added.delete(part);
    throw error;
  }
}

async function fetchMessages(locale: Locale, part: keyof typeof urls): Promise<Messages> {
  // Same mode as the preload link in the head, or the browser would fetch it twice.
  const response = await fetch(messagesUrl(locale, part), { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`no messages for ${locale}: ${response.status}`);
  return expand((await response.json()) as CompiledMessages); // our own asset, written by messages-plugin.ts
}

function expand(compiled: CompiledMessages): Messages {
  const messages: Messages = {};
  for (const [key, text] of Object.entries(compiled)) {
    messages[key] = typeof text === 'string' ? [{ type: 0, value: text }] : text;
  }
  return messages;
}
