import type { Locale } from '@officium/i18n/locales';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { loaders, urls } from 'virtual:messages';

/** As bundled: a text without arguments is a string, any other its syntax tree. */
export type CompiledMessages = Record<string, string | MessageFormatElement[]>;
export type Messages = Record<string, MessageFormatElement[]>;

/** Where the browser finds the texts of a locale; those of the administration are a file of their own. */
export function messagesUrl(locale: Locale, part: keyof typeof urls = 'common'): string {
  return urls[part][locale];
}

/** The texts of a locale: on the server all of them, in the browser those of its page. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  if (import.meta.env.SSR) {
    const [common, admin] = await Promise.all([loaders.common[locale](), loaders.admin[locale]()]);
    return expand({ ...common.default, ...admin.default });
  }
  const isAdmin = /^\/admin(?:\/|$)/.test(window.location.pathname);
  const [messages] = await Promise.all([fetchMessages(locale, 'common'), isAdmin ? addAdminMessages(locale) : null]);
  return Object.assign(shown, messages);
}

// One document has one language, so there is one set of texts to add to.
const shown: Messages = {};
let admin: Promise<Messages> | undefined;

/** For the browser on its way into the administration: its texts are there when this is done. */
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
