import type { Locale } from '@officium/i18n/locales';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { loaders, urls } from 'virtual:messages';

/** Bundled format: a string for a message without arguments, else its syntax tree. */
export type CompiledMessages = Record<string, string | MessageFormatElement[]>;
export type Messages = Record<string, MessageFormatElement[]>;

/** Address of the messages of a locale; those of the administration are a separate file. */
export function messagesUrl(locale: Locale, part: keyof typeof urls = 'common'): string {
  return urls[part][locale];
}

/** Loads the messages of a locale: all of them on the server, those of the page in the browser. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  if (import.meta.env.SSR) {
    const [common, admin] = await Promise.all([loaders.common[locale](), loaders.admin[locale]()]);
    return expand({ ...common.default, ...admin.default });
  }
  const isAdmin = /^\/admin(?:\/|$)/.test(window.location.pathname);
  const [messages] = await Promise.all([fetchMessages(locale, 'common'), isAdmin ? addAdminMessages(locale) : null]);
  return Object.assign(shown, messages);
}

// A document has one language, so there is one set of messages to extend.
const shown: Messages = {};
let admin: Promise<Messages> | undefined;

/** Loads the administration messages before the browser navigates there. */
export async function addAdminMessages(locale: Locale): Promise<void> {
  admin ??= fetchMessages(locale, 'admin');
  try {
    Object.assign(shown, await admin);
  } catch (error) {
    admin = undefined;
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
