import { expect, test } from 'vitest';
import { contactsOfForm, topicsOfForm } from './piece-contacts.ts';

const ID = '0190f3b4-0000-7000-8000-000000000000';
const form = (values: Record<string, string>) => {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
};

test('cleared contacts go, and roles in languages the form did not show stay', () => {
  const before = [
    { name: 'Ana', role: { en: 'Lead', de: 'Leitung' }, email: null, profile: null },
    { name: 'Ben', role: {}, email: null, profile: null },
  ];
  const sent = form({
    contacts_0_name: ' Ana ',
    contacts_0_role_en: 'Trainer',
    contacts_0_profile: `https://learn.example/people/${ID}`,
    contacts_1_name: '',
    contacts_2_name: 'Team',
    contacts_2_email: 'team@city.example',
  });
  expect(contactsOfForm(sent, before, ['en'])).toEqual([
    { name: 'Ana', role: { en: 'Trainer', de: 'Leitung' }, email: null, profile: ID },
    { name: 'Team', role: {}, email: 'team@city.example', profile: null },
  ]);
});

test('what is no profile stays, so that it is refused beside its field', () => {
  const sent = form({ contacts_0_name: 'A', contacts_0_profile: 'somebody' });
  expect(contactsOfForm(sent, [], ['en'])[0]?.profile).toBe('somebody');
});

test('ticked topics are taken', () => {
  expect(topicsOfForm(form({ topic_Climate: 'on', topic_Cats: 'on' }))).toEqual(['topic_Climate']);
});
