import { isLocale, type Locale } from '@officium/i18n/locales';
import { textOf } from '../../form/fields.ts';
import { TOPICS, type Topic } from '../../topics.ts';
import type { Doc } from './kinds.ts';

// As the contract has it.
export const MAX_CONTACTS = 10;

type Contact = Extract<Doc, { kind: 'course' }>['contacts'][number];

export const topicsOfForm = (fields: FormData): Topic[] => TOPICS.filter((topic) => fields.has(topic));

/** The contacts a form names; roles in languages the form did not show stay. */
export function contactsOfForm(fields: FormData, before: readonly Contact[], shown: readonly Locale[]): Contact[] {
  const contacts: Contact[] = [];
  for (let at = 0; fields.has(`contacts_${at}_name`); at++) {
    const said = (name: string) => textOf(fields, `contacts_${at}_${name}`).trim();
    const role = { ...before[at]?.role };
    for (const locale of shown.filter(isLocale)) {
      const text = said(`role_${locale}`);
      if (text === '') delete role[locale];
      else role[locale] = text;
    }
    const isProfileShown = fields.has(`contacts_${at}_profile`);
    const profile = isProfileShown ? profileIn(said('profile')) : (before[at]?.profile ?? null);
    const contact = { name: said('name'), role, email: said('email') || null, profile };
    // Cleared fields remove a contact; one with an address but no name is refused by the API.
    if (contact.name !== '' || contact.email !== null || (isProfileShown && profile !== null)) contacts.push(contact);
  }
  return contacts;
}

/** The id in the address of a profile; any other text stays, so that the API refuses it. */
function profileIn(text: string): string | null {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i.exec(text)?.[1]?.toLowerCase() ?? (text || null);
}
